// The store of an engine whose roots other engines share: what is stored of a torrent there lies beside its files as well, so that
// another engine can take it over when this one is gone (docs/operate/fleet.md "Shared roots"). The own store is read; the entries
// say whose a torrent is. Owns: a torrent that is added, or changed, is answered when its entry is written.
import { createHash } from 'node:crypto';
import { isAbsolute } from 'node:path';
import type { LogFields } from '../../shared-protocol/events.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { TorrentId } from '../../shared-protocol/ids.js';
import { isStreamId } from '../../shared-protocol/stream/messages.js';
import { isAtOrBelow, realLocation } from '../real-location.js';
import type {
  ResumeRow,
  StoredTorrent,
  TakenTorrents,
  TakeRequest,
  TorrentChange,
  TorrentExchange,
  TorrentRow,
  TorrentStore,
} from '../types.js';
import { decodeEntry, encodeEntry, type Entry } from './entry.js';
import { LatestWrites } from './latest-writes.js';
import { mayBeReplaced } from './own-folder.js';
import { RootFolder } from './root-folder.js';
import { isInSharedFolder } from './shared-folder.js';

export interface SharedRootsDeps {
  readonly engineId: string;
  /** Real folders, the same ones on each machine that shares them. */
  readonly roots: readonly string[];
  /** The lease under which this engine begins; it grows with each. */
  readonly epoch: number;
  /** Asked before each write of an entry; throws where none may be made. */
  readonly assertMayWrite?: (() => void) | undefined;
  readonly log: { warn(message: string, fields?: LogFields): void; info(message: string, fields?: LogFields): void };
}

export class SharedRootStore implements TorrentStore, TorrentExchange {
  /** By save path; null: it is on no shared root. */
  readonly #folderOf = new Map<string, RootFolder | null>();
  /** Where the entries of torrents lie. */
  readonly #homes = new Map<TorrentId, RootFolder>();
  readonly #entries = new LatestWrites<TorrentId>((id) => this.#write(id));
  /** Torrents whose entries could not be written. */
  readonly #behind = new Set<TorrentId>();
  /** Torrents that are being removed, or handed over: no entry of them is written any more. */
  readonly #leaving = new Set<TorrentId>();
  #taking: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly store: TorrentStore,
    private readonly folders: readonly RootFolder[],
    private readonly deps: SharedRootsDeps,
  ) {}

  /** Torrents that others have taken meanwhile are gone from the store, those that were handed over are in it. @throws AppError `STORAGE_FAILED` */
  static async open(store: TorrentStore, deps: SharedRootsDeps): Promise<SharedRootStore> {
    const folders = await Promise.all(deps.roots.map((root) => RootFolder.open(root, deps.engineId)));
    for (const root of deps.roots) {
      if (await mayBeReplaced(root)) {
        deps.log.warn('other users may write to a shared root, and put a folder of theirs in the place of .swarmd', {
          root,
        });
      }
    }
    for (const folder of folders) await folder.writeEpoch(deps.epoch);
    const shared = new SharedRootStore(store, folders, deps);
    await shared.#forgetGone();
    await shared.#takeOwn();
    await shared.#writeMissing();
    return shared;
  }

  rows(): Iterable<TorrentRow> {
    return this.store.rows();
  }

  row(id: TorrentId): TorrentRow | undefined {
    return this.store.row(id);
  }

  whole(id: TorrentId): StoredTorrent | undefined {
    return this.store.whole(id);
  }

  infoBytes(id: TorrentId): Uint8Array | undefined {
    return this.store.infoBytes(id);
  }

  resume(id: TorrentId): ResumeRow | undefined {
    return this.store.resume(id);
  }

  claims(id: TorrentId, part: number): Uint8Array | undefined {
    return this.store.claims(id, part);
  }

  allClaims(id: TorrentId): Uint8Array[] {
    return this.store.allClaims(id);
  }

  pathList(id: TorrentId, number: number): Uint8Array | undefined {
    return this.store.pathList(id, number);
  }

  meta(key: string): Uint8Array | undefined {
    return this.store.meta(key);
  }

  putMeta(key: string, value: Uint8Array): Promise<void> {
    return this.store.putMeta(key, value);
  }

  insert(
    row: TorrentRow,
    infoBytes: Uint8Array | null,
    resume: ResumeRow | null,
    pathLists: ReadonlyMap<number, Uint8Array> = new Map(),
  ): Promise<void> {
    return this.insertWhole({ row, infoBytes, resume, claims: new Map(), pathLists });
  }

  /** One whose entry cannot be written, or that another engine has there, is not added. @throws AppError `ENGINE_AWAY` */
  async insertWhole(torrent: StoredTorrent): Promise<void> {
    const { id } = torrent.row;
    await this.store.insertWhole(torrent);
    try {
      await this.#entries.soon(id);
      // After its own entry: of two that add it at once, one at least sees the other's.
      if (await this.#homes.get(id)?.isElsewhere(id)) throw hasAnother();
    } catch (error) {
      await this.remove(id);
      throw error;
    }
  }

  async update(id: TorrentId, change: Partial<Omit<TorrentRow, 'id'>>): Promise<void> {
    await this.store.update(id, change);
    await this.#keep(id);
  }

  async change(id: TorrentId, change: TorrentChange): Promise<void> {
    await this.store.change(id, change);
    await this.#keep(id);
  }

  async putInfoBytes(id: TorrentId, bytes: Uint8Array): Promise<void> {
    await this.store.putInfoBytes(id, bytes);
    await this.#keep(id);
  }

  /** The entries follow: progress that another engine does not know of is found by its check. */
  async putResume(rows: ReadonlyMap<TorrentId, ResumeRow>): Promise<void> {
    await this.store.putResume(rows);
    for (const id of new Set([...rows.keys(), ...this.#behind])) void this.#keep(id);
  }

  async putClaims(id: TorrentId, part: number, bytes: Uint8Array): Promise<void> {
    await this.store.putClaims(id, part, bytes);
    void this.#keep(id);
  }

  /** One whose entry cannot be removed stays: it would come again. */
  async remove(id: TorrentId): Promise<void> {
    const whole = this.store.whole(id);
    this.#leaving.add(id);
    try {
      await this.store.remove(id);
      await this.#entries.settled(id);
      await this.#homes.get(id)?.remove(id);
    } catch (error) {
      if (whole && !this.store.row(id)) await this.store.insertWhole(whole);
      throw error;
    } finally {
      this.#leaving.delete(id);
    }
    const folder = this.#homes.get(id);
    this.#homes.delete(id);
    await folder?.removeInfo(id).catch(() => undefined);
  }

  async give(id: TorrentId, engineId: string): Promise<void> {
    const row = this.store.row(id);
    if (!row) throw new AppError('TORRENT_NOT_FOUND', 'torrent not found', { id });
    if (!isStreamId(engineId) || engineId === this.deps.engineId) throw notAnother();
    const folder = await this.#folder(row.savePath);
    if (!folder) throw new AppError('SAVE_PATH_INVALID', `save_path ${row.savePath}: is on no shared root`);
    await this.#entries.soon(id);
    this.#leaving.add(id);
    try {
      await this.#entries.settled(id);
      await folder.pass(id, this.deps.engineId, engineId);
      await this.store.remove(id);
      this.#homes.delete(id);
      await folder.noticeGone(id);
    } finally {
      this.#leaving.delete(id);
    }
  }

  take(request: TakeRequest): Promise<TakenTorrents> {
    const taken = this.#taking.then(() => this.#take(request));
    this.#taking = taken.catch(() => undefined);
    return taken;
  }

  async close(): Promise<void> {
    await this.#entries.allSettled();
    for (const id of [...this.#behind]) await this.#keep(id);
    await this.store.close();
  }

  async #take({ from, limit }: TakeRequest): Promise<TakenTorrents> {
    const { engineId } = this.deps;
    if (from && (!isStreamId(from.engineId) || from.engineId === engineId)) throw notAnother();
    let left = 0;
    let passed = 0;
    for (const folder of from ? this.folders : []) {
      const others = await folder.torrents(from!.engineId);
      if (others.length === 0) continue;
      await this.#assertHeldOff(folder, from!);
      for (const id of others) {
        // Whether these can be taken is seen when it is their turn: each is read for that.
        if (!(passed < limit)) left++;
        else if ((await this.#mayTake(folder, id, from!.engineId)) && (await folder.pass(id, from!.engineId, engineId)))
          passed++;
      }
    }
    return { ids: await this.#takeOwn(), left };
  }

  async #assertHeldOff(folder: RootFolder, { engineId, epoch }: NonNullable<TakeRequest['from']>): Promise<void> {
    if (Number.isSafeInteger(epoch) && (await folder.epoch(engineId)) < epoch) return;
    throw new AppError('ENGINE_FENCED', 'torrents not taken: their engine has begun again');
  }

  /** One that is here already, or whose save path leads elsewhere on this machine, stays with the other engine. */
  async #mayTake(folder: RootFolder, id: TorrentId, engineId: string): Promise<boolean> {
    if (this.store.row(id)) return false;
    const entry = await entryIn(folder, id, engineId);
    const isHere = entry !== null && (await this.#isOn(folder, entry.row.savePath));
    if (!isHere) this.deps.log.warn('a torrent of another engine cannot be taken', { torrent: id, root: folder.root });
    return isHere;
  }

  /** Torrents that others have handed over become torrents of the store. */
  async #takeOwn(): Promise<TorrentId[]> {
    const ids: TorrentId[] = [];
    for (const folder of this.folders) {
      for (const id of await folder.torrents()) {
        if (this.store.row(id) || this.#leaving.has(id) || this.#homes.has(id)) continue;
        const found = await this.#find(folder, id);
        if (!found) continue;
        await this.store.insertWhole(asTaken(found));
        this.#homes.set(id, folder);
        ids.push(id);
      }
    }
    if (ids.length > 0) this.deps.log.info('torrents were taken over', { torrents: ids.length });
    return ids;
  }

  async #find(folder: RootFolder, id: TorrentId): Promise<StoredTorrent | null> {
    const entry = await entryIn(folder, id);
    const infoBytes = entry?.hasInfo ? await folder.readInfo(id) : null;
    const isRead = entry?.hasInfo === (infoBytes !== null) && (!infoBytes || hashOf(infoBytes) === id);
    if (isRead && (await this.#isOn(folder, entry.row.savePath))) return { ...entry, infoBytes };
    const reason = isRead ? `its save path ${entry.row.savePath} is not on this root` : 'it is none, or damaged';
    this.deps.log.warn('the entry of a torrent on a shared root is not taken', {
      ...{ torrent: id, root: folder.root, reason },
    });
    return null;
  }

  /** Whether a path that an entry names is on its root, and not among what engines know of each other. */
  async #isOn(folder: RootFolder, savePath: string): Promise<boolean> {
    if (!isAbsolute(savePath) || (await this.#folder(savePath)) !== folder) return false;
    return !isInSharedFolder((await realLocation(savePath)).path, folder.root);
  }

  async #forgetGone(): Promise<void> {
    for (const folder of this.folders) {
      const own = new Set(await folder.torrents());
      for (const id of await folder.gone()) {
        // An entry of before may have been written once more by who was about to be held off.
        const isOwn = own.has(id) && !(await folder.isElsewhere(id));
        if (!isOwn) await this.#forget(folder, id);
        await folder.noticeGone(id);
      }
    }
  }

  async #forget(folder: RootFolder, id: TorrentId): Promise<void> {
    const row = this.store.row(id);
    if (row && (await this.#folder(row.savePath)) === folder) {
      await this.store.remove(id);
      this.deps.log.info('another engine has the torrent now', { torrent: id });
    }
    await folder.remove(id);
  }

  /** Torrents of before the root was shared, and those whose entry could not be written. */
  async #writeMissing(): Promise<void> {
    const written = new Map<RootFolder, Set<TorrentId>>();
    for (const folder of this.folders) written.set(folder, new Set(await folder.torrents()));
    for (const { id, savePath } of this.store.rows()) {
      const folder = await this.#folder(savePath);
      if (!folder) continue;
      this.#homes.set(id, folder);
      if (!written.get(folder)!.has(id)) void this.#keep(id);
    }
  }

  /** Never rejects: what is stored holds, and its entry is tried again. */
  async #keep(id: TorrentId): Promise<void> {
    try {
      await this.#entries.soon(id);
      this.#behind.delete(id);
    } catch (error) {
      this.#behind.add(id);
      this.deps.log.warn('not written to the shared root', { torrent: id, reason: String(error) });
    }
  }

  async #write(id: TorrentId): Promise<void> {
    const row = this.#leaving.has(id) ? undefined : this.store.row(id);
    if (!row) return;
    const before = this.#homes.get(id);
    const folder = await this.#folder(row.savePath);
    const torrent = folder && this.store.whole(id);
    if (torrent) {
      await this.#writeEntry(folder, torrent);
      this.#homes.set(id, folder);
    }
    if (!before || before === folder) return;
    await before.remove(id);
    await before.removeInfo(id);
    if (!folder) this.#homes.delete(id);
  }

  async #writeEntry(folder: RootFolder, torrent: StoredTorrent): Promise<void> {
    const { row, infoBytes } = torrent;
    if (infoBytes) await folder.writeInfo(row.id, infoBytes);
    this.deps.assertMayWrite?.();
    await folder.write(row.id, encodeEntry(torrent));
  }

  async #folder(savePath: string): Promise<RootFolder | null> {
    const known = this.#folderOf.get(savePath);
    if (known !== undefined) return known;
    const { kind, path } = await realLocation(savePath);
    const folder = (kind === 'place' && this.folders.find(({ root }) => isAtOrBelow(path, root))) || null;
    this.#folderOf.set(savePath, folder);
    return folder;
  }
}

/** The entry of a torrent that is an engine's, our own by default; null: there is none that can be read. */
async function entryIn(folder: RootFolder, id: TorrentId, engineId?: string): Promise<Entry | null> {
  const bytes = await folder.read(id, engineId);
  return bytes && decodeEntry(id, bytes);
}

/** A torrent without what held at one engine alone: how long that has run, and pieces that lie beside the files. */
function asTaken({ row, resume, ...torrent }: StoredTorrent): StoredTorrent {
  const priorities = [row, ...(row.holders ?? [])].flatMap(({ filePriorities }) => filePriorities ?? []);
  return {
    ...torrent,
    row: priorities.includes('skip') ? { ...row, pendingCheck: 'all' } : row,
    resume: resume && withoutCounting(resume),
  };
}

function withoutCounting({ counting: _, ...resume }: ResumeRow): ResumeRow {
  return resume;
}

function hashOf(infoBytes: Uint8Array): string {
  return createHash('sha1').update(infoBytes).digest('hex');
}

function notAnother(): AppError {
  return new AppError('ENGINE_FENCED', 'engine id: expected that of another engine, 32 hexadecimal digits');
}

function hasAnother(): AppError {
  return new AppError('ENGINE_AWAY', 'torrent: another engine has it on this root, and is not reached at the moment');
}
