// Work on many things in slices, so that it does not keep the thread from what else there is to do.
import { setImmediate as pause } from 'node:timers/promises';

/** In these a look at a chunk and the encoding of one take a fraction of a millisecond at most. */
const SLICE_MS = 4;

/** The clock and the pauses of slices, for tests. */
export interface SliceClock {
  /** Monotonic milliseconds. @default the system's */
  readonly now?: () => number;
  /** Lets the thread do other things. @default for a turn of the event loop */
  readonly pause?: () => Promise<void>;
}

/** Does the work for each, one after another. */
export async function inSlices<Item>(
  items: Iterable<Item>,
  work: (item: Item) => void,
  { now = () => performance.now(), pause: rest = () => pause() }: SliceClock = {},
): Promise<void> {
  let began = now();
  for (const item of items) {
    work(item);
    if (now() - began < SLICE_MS) continue;
    await rest();
    began = now();
  }
}
