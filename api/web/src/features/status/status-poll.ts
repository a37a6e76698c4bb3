// What the server says of itself every few seconds, while it is looked at and there is a connection.
import { createComputed, createEffect, createSignal, onCleanup, untrack, type Accessor } from 'solid-js';
import type { StatusDto } from '../../../../../shared-protocol/dto/status.js';
import { ApiError, call } from '../../net/http.js';
import { isConnectionLost } from '../../state/activity.js';
import type { Live } from '../../state/live.js';

const EVERY_MS = 10_000;

/**
 * null: nothing has come yet. Later answers wait for the figures that come each second: a frame of its own would cost the
 * page a third of what theirs does.
 */
export function createStatus(live: Pick<Live, 'connection' | 'stats'>): Accessor<StatusDto | null> {
  const [status, setStatus] = createSignal<StatusDto | null>(null);
  let latest: StatusDto | null = null;
  createComputed(() => {
    live.stats();
    if (latest) setStatus(latest);
  });
  const [isVisible, setIsVisible] = createSignal(!document.hidden);
  const onVisibility = () => setIsVisible(!document.hidden);
  document.addEventListener('visibilitychange', onVisibility);
  onCleanup(() => document.removeEventListener('visibilitychange', onVisibility));
  const look = async () => {
    try {
      latest = await call<StatusDto>('GET', '/api/status');
      if (!untrack(status)) setStatus(latest);
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
