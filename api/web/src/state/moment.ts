// The moment as of which something that goes on is compared: the same for everything that is compared, and renewed now
// and then.
import { createEffect, createSignal, onCleanup, type Accessor } from 'solid-js';

const EVERY_MS = 60_000;

/** By the clock of `Date.now`; it stands still while nothing goes on. */
export function createMoment(isGoingOn: Accessor<boolean>): Accessor<number> {
  const [nowMs, setNowMs] = createSignal(Date.now());
  createEffect(() => {
    if (!isGoingOn()) return;
    setNowMs(Date.now());
    const timer = setInterval(() => setNowMs(Date.now()), EVERY_MS);
    onCleanup(() => clearInterval(timer));
  });
  return nowMs;
}
