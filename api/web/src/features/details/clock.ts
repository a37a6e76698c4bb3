// The time of now in whole seconds, for what counts down.
import { createSignal, onCleanup, type Accessor } from 'solid-js';
import { serverNowMs } from '../../net/server-clock.js';

export function createClock(): Accessor<number> {
  const now = () => Math.floor(serverNowMs() / 1000);
  const [seconds, setSeconds] = createSignal(now());
  const timer = setInterval(() => setSeconds(now()), 1_000);
  onCleanup(() => clearInterval(timer));
  return seconds;
}
