// Details of many torrents for one question. Nothing is opened, and none of them is woken; after some milliseconds others
// have their turn.
import { setImmediate as pause } from 'node:timers/promises';
import { performance } from 'node:perf_hooks';
import type { InspectManyParams, TorrentDetails } from '../../shared-protocol/commands/inspection.js';
import type { ShareRef } from '../../shared-protocol/commands/shares.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { Torrents } from './torrents.js';

/** No spec value: peers and other commands wait for no more, but for the files of one torrent. */
const SLICE_MS = 5;

export async function inspectMany(
  torrents: Pick<Torrents, 'find'>,
  { shares, parts }: InspectManyParams,
): Promise<(TorrentDetails | null)[]> {
  const found: (TorrentDetails | null)[] = [];
  let sliceEndsMs = performance.now() + SLICE_MS;
  for (const share of shares) {
    if (performance.now() >= sliceEndsMs) {
      await pause();
      sliceEndsMs = performance.now() + SLICE_MS;
    }
    found.push(detailsOf(torrents, share, parts));
  }
  return found;
}

function detailsOf(
  torrents: Pick<Torrents, 'find'>,
  { id, by }: ShareRef,
  parts: InspectManyParams['parts'],
): TorrentDetails | null {
  try {
    return torrents.find(id).details(parts, undefined, by);
  } catch (error) {
    if (error instanceof AppError && error.code === 'TORRENT_NOT_FOUND') return null;
    throw error;
  }
}
