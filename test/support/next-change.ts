// Waiting for a change that another front makes to a collection.
import type { Collection } from '../../storage/types.js';

/** Resolves at the next change by somebody else. */
export function nextChange(collection: Pick<Collection<unknown>, 'onChanged'>): Promise<void> {
  return new Promise((resolve) => collection.onChanged(resolve));
}
