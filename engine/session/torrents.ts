// The torrents that are here. Owns: one that comes or goes is known to all who have to know of it, or to none.
import { forEachLimit } from '../../shared-protocol/for-each-limit.js';
import type { InfoHash, TorrentId } from '../../shared-protocol/ids.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { Claims } from '../claims/index.js';
import type { SavePaths } from '../disk/save-paths.js';
import type { Log } from '../environment.js';
import type { FileListCache } from '../torrent/files/file-list-cache.js';
import type { SessionTorrent } from '../torrent/session-interface.js';
import type { Torrent } from '../torrent/torrent.js';
import { ObfuscatedHashes } from './obfuscated-hashes.js';
import type { Queue } from './queue.js';
import type { ResumeSaver } from './resume-saver.js';

/** Torrents that look at their files at a time, when all of them start; no spec value. */
const START_PARALLEL = 8;

export interface TorrentsDeps {
  readonly claims: Claims;
  readonly savePaths: Pick<SavePaths, 'use' | 'leave'>;
  readonly queue: Queue<Torrent>;
  readonly resumeSaver: Pick<ResumeSaver, 'forget'>;
  readonly fileListCache: Pick<FileListCache, 'drop'>;
  readonly log: Log;
}

export class Torrents {
  readonly #byId = new Map<TorrentId, Torrent>();
  readonly #obfuscated = new ObfuscatedHashes(() => this.#byId.keys());

  constructor(private readonly deps: TorrentsDeps) {}

  get size(): number {
    return this.#byId.size;
  }

  values(): IterableIterator<Torrent> {
    return this.#byId.values();
  }

  has(id: TorrentId): boolean {
    return this.#byId.has(id);
  }

  get(id: TorrentId): Torrent | undefined {
    return this.#byId.get(id);
  }

  /** @throws AppError `TORRENT_NOT_FOUND` */
  find(id: TorrentId): Torrent {
    const torrent = this.#byId.get(id);
    if (!torrent) throw new AppError('TORRENT_NOT_FOUND', 'torrent not found', { id });
    return torrent;
  }

  /** The one that an encrypted connection names (obfuscated-hashes.ts). */
  findObfuscated(hash: string): InfoHash | null {
    return this.#obfuscated.find(hash);
  }

  /** Whether it is here itself: one that was removed may still be at work, and another of its id be here. */
  isHere(torrent: SessionTorrent): boolean {
    return this.#byId.get(torrent.id) === torrent;
  }

  admit(torrent: Torrent, queueKey: number): void {
    const { savePaths, claims, queue } = this.deps;
    this.#byId.set(torrent.id, torrent);
    savePaths.use(torrent.savePath);
    claims.add(torrent);
    torrent.holdPlaces();
    this.#obfuscated.add(torrent.id);
    queue.add(torrent, queueKey);
  }

  /** From now on it is none of ours. */
  dismiss(torrent: Torrent): void {
    const { savePaths, claims, queue, resumeSaver, fileListCache } = this.deps;
    resumeSaver.forget(torrent);
    claims.remove(torrent);
    this.#byId.delete(torrent.id);
    fileListCache.drop(torrent.id);
    savePaths.leave(torrent.savePath);
    this.#obfuscated.remove(torrent.id);
    queue.remove(torrent);
  }

  /** Sets them to work. `fresh`: just added, nothing is known of what is on disk. Never rejects. */
  async start(torrents: readonly Torrent[], fresh: boolean): Promise<void> {
    await forEachLimit(torrents, START_PARALLEL, (torrent) =>
      torrent
        .start(fresh)
        .catch((error: unknown) =>
          this.deps.log.error('torrent not started', { torrent: torrent.id, reason: String(error) }),
        ),
    );
  }
}
