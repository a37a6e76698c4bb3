// Work on many things in slices, so that it does not keep the thread from what else there is to do.
import { Slices, type SliceClock } from '../../shared-protocol/slices.js';

/** In these a look at a chunk and the encoding of one take a fraction of a millisecond at most. */
const SLICE_MS = 4;

/** Does the work for each, one after another. */
export async function inSlices<Item>(
  items: Iterable<Item>,
  work: (item: Item) => void,
  options?: SliceClock,
): Promise<void> {
  const slices = new Slices(SLICE_MS, options);
  for (const item of items) {
    work(item);
    if (slices.isOver) await slices.pass();
  }
}
