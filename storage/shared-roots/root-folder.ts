// The folder `.swarmd` of a root that several engines share: which of its torrents is whose engine's, beside their files. A torrent is
// the engine's in whose folder its entry lies. It goes to another by one rename, which one of several that try it makes.
//
//   .swarmd/engines/<engine>/torrents/<info hash>   what is stored of it (entry.ts)
//   .swarmd/engines/<engine>/gone/<info hash>       it had this one until another took it; kept until it has noticed
//   .swarmd/engines/<engine>/epoch                  the lease under which it began last
//   .swarmd/metainfo/<info hash>                    the info dictionary
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../shared-protocol/errors.js';
import { isInfoHash, type TorrentId } from '../../shared-protocol/ids.js';
import { isStreamId } from '../../shared-protocol/stream/messages.js';
import { isErrno, listIfExists, replaceFile, syncDirectory } from '../atomic-file.js';
import { makeMark, readPlainFile } from './plain-file.js';
import { SHARED_FOLDER } from './shared-folder.js';
import { whyNotOwn } from './own-folder.js';

const FOLDER_MODE = 0o700;
/** Larger ones are no entries: the paths of 200,000 files have room. */
const MAX_ENTRY_BYTES = 256 * 1024 * 1024;
const MAX_INFO_BYTES = 64 * 1024 * 1024;
const MAX_EPOCH_BYTES = 64;

export class RootFolder {
  readonly #base: string;
  readonly #made = new Set<string>();

  private constructor(
    /** Real. */
    readonly root: string,
    private readonly engineId: string,
  ) {
    this.#base = join(root, SHARED_FOLDER);
  }

  /** Makes what is not there yet. @throws AppError `STORAGE_FAILED` */
  static async open(root: string, engineId: string): Promise<RootFolder> {
    const folder = new RootFolder(root, engineId);
    try {
      await mkdir(folder.#base, { mode: FOLDER_MODE }).catch((error: unknown) => {
        if (!isErrno(error, 'EEXIST')) throw error;
      });
      const fault = await whyNotOwn(folder.#base);
      if (fault !== null) throw new Error(fault);
      for (const kind of ['torrents', 'gone'] as const) await folder.#make(folder.#folder(engineId, kind));
      await folder.#make(join(folder.#base, 'metainfo'));
      return folder;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new AppError('STORAGE_FAILED', `shared root ${root}: ${SHARED_FOLDER} cannot be used: ${reason}`);
    }
  }

  /** Torrents that are an engine's, our own by default. */
  async torrents(engineId = this.engineId): Promise<TorrentId[]> {
    return hashesIn(this.#folder(engineId, 'torrents'));
  }

  /** Torrents that were ours until another engine took them, as far as that has not been noticed. */
  gone(): Promise<TorrentId[]> {
    return hashesIn(this.#folder(this.engineId, 'gone'));
  }

  noticeGone(id: TorrentId): Promise<void> {
    return rm(join(this.#folder(this.engineId, 'gone'), id), { force: true, recursive: true });
  }

  /** The entry of a torrent that is an engine's, our own by default. */
  read(id: TorrentId, engineId = this.engineId): Promise<Uint8Array | null> {
    return readPlainFile(this.#entry(engineId, id), MAX_ENTRY_BYTES);
  }

  readInfo(id: TorrentId): Promise<Uint8Array | null> {
    return readPlainFile(this.#info(id), MAX_INFO_BYTES);
  }

  /** Durable when it resolves. */
  write(id: TorrentId, entry: Uint8Array): Promise<void> {
    return replaceFile(this.#entry(this.engineId, id), entry);
  }

  /** Once for each torrent: it never changes. */
  async writeInfo(id: TorrentId, infoBytes: Uint8Array): Promise<void> {
    const there = await lstat(this.#info(id)).catch(() => null);
    if (there?.size !== infoBytes.length) await replaceFile(this.#info(id), infoBytes);
  }

  /** The torrent is nobody's any more. Durable when it resolves. */
  async remove(id: TorrentId): Promise<void> {
    await rm(this.#entry(this.engineId, id), { force: true, recursive: true });
    await syncDirectory(this.#folder(this.engineId, 'torrents'));
  }

  /** Whether another engine has the torrent. */
  async isElsewhere(id: TorrentId): Promise<boolean> {
    for (const engine of await readdir(join(this.#base, 'engines'))) {
      if (engine !== this.engineId && (await lstat(this.#entry(engine, id)).catch(() => null))) return true;
    }
    return false;
  }

  /** Unless another engine has the torrent as well. */
  async removeInfo(id: TorrentId): Promise<void> {
    if (!(await this.isElsewhere(id))) await rm(this.#info(id), { force: true });
  }

  /** From now on the torrent is the other engine's; false: it was not the first one's. Durable when it resolves. */
  async pass(id: TorrentId, from: string, to: string): Promise<boolean> {
    const gone = this.#folder(from, 'gone');
    await this.#make(gone);
    await this.#make(this.#folder(to, 'torrents'));
    // Before the rename: an engine that finds both has it still.
    await makeMark(join(gone, id));
    await syncDirectory(gone);
    try {
      await rename(this.#entry(from, id), this.#entry(to, id));
    } catch (error) {
      if (isErrno(error, 'ENOENT')) return false;
      throw error;
    }
    for (const engine of [from, to]) await syncDirectory(this.#folder(engine, 'torrents'));
    return true;
  }

  /** The epoch of the lease that an engine began under last; 0: of none. */
  async epoch(engineId: string): Promise<number> {
    const text = (await readPlainFile(this.#epochFile(engineId), MAX_EPOCH_BYTES))?.toString() ?? '0';
    return Number.parseInt(text, 10) || 0;
  }

  writeEpoch(epoch: number): Promise<void> {
    return replaceFile(this.#epochFile(this.engineId), `${epoch}\n`);
  }

  #folder(engineId: string, kind: 'torrents' | 'gone'): string {
    return join(this.#engine(engineId), kind);
  }

  #entry(engineId: string, id: TorrentId): string {
    return join(this.#folder(engineId, 'torrents'), id);
  }

  #info(id: TorrentId): string {
    return join(this.#base, 'metainfo', id);
  }

  #epochFile(engineId: string): string {
    return join(this.#engine(engineId), 'epoch');
  }

  /** Ids come from fronts: one that is none would be a way out of the folder. @throws AppError `STORAGE_FAILED` */
  #engine(engineId: string): string {
    if (!isStreamId(engineId)) throw new AppError('STORAGE_FAILED', 'engine id: expected 32 hexadecimal digits');
    return join(this.#base, 'engines', engineId);
  }

  async #make(folder: string): Promise<void> {
    if (this.#made.has(folder)) return;
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    this.#made.add(folder);
  }
}

async function hashesIn(folder: string): Promise<TorrentId[]> {
  return (await listIfExists(folder)).filter(isInfoHash);
}
