// The moment as of which something that goes on is compared: the same for everything that is compared, and renewed now
// and then.
import { createEffect, createSignal, onCleanup, type Accessor } from 'solid-js';
import { serverNowMs } from '../net/server-clock.js';

const EVERY_MS = 60_000;

/** By the clock of the server; it stands still while nothing goes on. */
export function createMoment(isGoingOn: Accessor<boolean>): Accessor<number> {
  const [nowMs, setNowMs] = createSignal(serverNowMs());
  createEffect(() => {
    if (!isGoingOn()) return;
    setNowMs(serverNowMs());
    const timer = setInterval(() => setNowMs(serverNowMs()), EVERY_MS);
    onCleanup(() => clearInterval(timer));
  });
  return nowMs;
}
