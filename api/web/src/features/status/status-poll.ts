// What the server says of itself every few seconds, while it is looked at and there is a connection.
import { createEffect, createSignal, onCleanup, type Accessor } from 'solid-js';
import type { StatusDto } from '../../../../../shared-protocol/dto/status.js';
import { ApiError, call } from '../../net/http.js';
import { isConnectionLost } from '../../state/activity.js';
import type { Live } from '../../state/live.js';

const EVERY_MS = 10_000;

/** null: nothing has come yet. */
export function createStatus(live: Pick<Live, 'connection'>): Accessor<StatusDto | null> {
  const [status, setStatus] = createSignal<StatusDto | null>(null);
  const [isVisible, setIsVisible] = createSignal(!document.hidden);
  const onVisibility = () => setIsVisible(!document.hidden);
  document.addEventListener('visibilitychange', onVisibility);
  onCleanup(() => document.removeEventListener('visibilitychange', onVisibility));
  const look = async () => {
    try {
      setStatus(await call<StatusDto>('GET', '/api/status'));
    } catch (error) {
      // What was said last stays; that nothing answers is said elsewhere.
      if (!(error instanceof ApiError)) throw error;
    }
  };
  createEffect(() => {
    if (!isVisible() || isConnectionLost(live.connection.state())) return;
    void look();
    const timer = setInterval(() => void look(), EVERY_MS);
    onCleanup(() => clearInterval(timer));
  });
  return status;
}
