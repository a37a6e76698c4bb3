// What is stored becomes torrents: in the order of the queue, told of in batches.
import type { TorrentFacts } from '../../shared-protocol/events.js';
import type { TorrentRow, TorrentStore } from '../../storage/types.js';
import { parseInfoDictionary, topNameOf } from '../metainfo/index.js';
import { rulesOf } from '../torrent/files/content.js';
import type { TorrentServices } from '../torrent/session-interface.js';
import { Torrent } from '../torrent/torrent.js';
import { inQueueOrder } from './queue-keys.js';
import { trimmedRow } from './stored-bounds.js';
import { TOLD_AT_ONCE } from './tell-in-batches.js';

export interface Loading {
  readonly services: TorrentServices;
  readonly store: TorrentStore;
  /** Rows of the store whose torrents are not here yet. */
  readonly rows: readonly TorrentRow[];
  /** Admits a torrent, which has its place in the queue from then on. */
  admit(torrent: Torrent, queueKey: number): void;
  onAdded(torrents: readonly TorrentFacts[]): void;
  /** Ends the removal of one that is none any more. */
  onLeaving(row: TorrentRow): void;
}

/** Resolves when what had no place in the queue, or had to be trimmed, is stored as it is now. Nothing is started. */
export async function loadTorrents({ services, store, rows, admit, onAdded, onLeaving }: Loading): Promise<void> {
  const stored: Promise<void>[] = [];
  let batch: Torrent[] = [];
  const tell = (): void => {
    if (batch.length > 0) onAdded(batch.map((torrent) => torrent.facts()));
    batch = [];
  };
  const paths = rows.flatMap(({ savePath, move }) => (move ? [savePath, move.from, move.to] : [savePath]));
  for (const savePath of new Set(paths)) await services.claims.learnStored(savePath);
  for (const { row: kept, key, isNew } of inQueueOrder(rows.filter(({ leaving }) => !leaving))) {
    const trimmed = trimmedRow(kept, () => store.infoBytes(kept.id));
    if (trimmed) stored.push(store.update(kept.id, trimmed));
    const row = withNameOnDisk(store, trimmed ? { ...kept, ...trimmed } : kept);
    const torrent = new Torrent(services, row, store.resume(row.id));
    if (isNew) stored.push(torrent.edits.setQueueKey(key));
    admit(torrent, key);
    torrent.enterQueue();
    batch.push(torrent);
    if (batch.length === TOLD_AT_ONCE) tell();
  }
  tell();
  for (const row of rows) if (row.leaving) onLeaving(row);
  await Promise.all(stored);
}

/** Rows of before places were claimed may have a name for people that is another one on disk. */
function withNameOnDisk(store: TorrentStore, row: TorrentRow): TorrentRow {
  const infoBytes = row.isClaimed || !row.summary ? undefined : store.infoBytes(row.id);
  try {
    return infoBytes ? { ...row, name: topNameOf(parseInfoDictionary(infoBytes, rulesOf(row))) } : row;
  } catch {
    // It is shown as damaged once it is opened.
    return row;
  }
}
