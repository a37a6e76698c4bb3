// Tells of many torrents, and lets others run in between.
import { setImmediate as othersRan } from 'node:timers/promises';
import type { TorrentFacts } from '../../shared-protocol/events.js';

/** Torrents of one event, so that who listens is not handed all at once. */
export const TOLD_AT_ONCE = 500;

export async function tellInBatches(
  torrents: Iterable<{ facts(): TorrentFacts }>,
  tell: (torrents: readonly TorrentFacts[]) => void,
): Promise<void> {
  let batch: TorrentFacts[] = [];
  for (const torrent of torrents) {
    batch.push(torrent.facts());
    if (batch.length < TOLD_AT_ONCE) continue;
    tell(batch);
    batch = [];
    await othersRan();
  }
  if (batch.length > 0) tell(batch);
}
