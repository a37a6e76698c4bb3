// How torrents come in: by magnet, by file, by URL. Owns what happens when a torrent is there already (semantics.md
// section 5): who may see it gets its id and its trackers are merged; anybody else is refused and nothing changes.
import type {
  AddTorrentParams,
  AddTorrentResult,
  EngineClient,
  TorrentSource,
} from '../../../shared-protocol/commands.js';
import { AppError, type ErrorCode } from '../../../shared-protocol/errors.js';
import type { TorrentId } from '../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD, type LibraryRecord } from '../../../shared-protocol/library-record.js';
import type { Egress, Fetched } from '../../egress/egress.js';
import { RequestError } from '../../errors.js';
import type { Account } from '../accounts/accounts.js';
import type { Library } from './library.js';
import type { SavePaths } from '../settings/save-paths.js';

/** interface.md, "Limits". */
export const MAX_TORRENT_FILE_BYTES = 10 * 1024 * 1024;

/** interface.md: an add answers 400 when persistence fails. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['STORAGE_FAILED', 'DISK_FULL', 'DISK_FAILED']);

export interface AddingDeps {
  readonly engine: { readonly client: Pick<EngineClient, 'addTorrent' | 'mergeTrackers'> };
  readonly library: Pick<Library, 'find' | 'accessOf'>;
  readonly savePaths: Pick<SavePaths, 'resolve'>;
  readonly egress: Pick<Egress, 'fetch'>;
}

export class Adding {
  constructor(private readonly deps: AddingDeps) {}

  /** @throws RequestError `FORBIDDEN`, `TORRENT_REFUSED`, `TORRENT_HIDDEN`; AppError of the engine */
  addMagnet(account: Account, uri: string, savePath: string): Promise<TorrentId> {
    return this.add(account, { kind: 'magnet', uri }, savePath);
  }

  /** `bytes` in memory of their own. @throws as {@link addMagnet} */
  addFile(account: Account, bytes: Uint8Array, savePath: string): Promise<TorrentId> {
    return this.add(account, { kind: 'metainfo', bytes }, savePath);
  }

  /**
   * A magnet, or the URL of a file; it may redirect to a magnet.
   * @throws as {@link addMagnet}; `FETCH_REFUSED`, `FETCH_FAILED`
   */
  async addUrl(account: Account, url: string, savePath: string): Promise<TorrentId> {
    if (/^magnet:/i.test(url)) return this.addMagnet(account, url, savePath);
    // Before anything is fetched for somebody who may not save there.
    const path = await this.deps.savePaths.resolve(account, savePath);
    const fetched = await this.#fetch(url);
    if (fetched.kind === 'magnet') return this.addMagnet(account, fetched.uri, path);
    return this.addFile(account, fetched.bytes, path);
  }

  async #fetch(url: string): Promise<Fetched> {
    try {
      return await this.deps.egress.fetch(url, { maxBytes: MAX_TORRENT_FILE_BYTES });
    } catch (error) {
      if (error instanceof RequestError) throw new RequestError(error.code, `url: ${error.message}`);
      throw error;
    }
  }

  /** `record` comes into being with the torrent, and means nothing where it is there already. @throws as {@link addMagnet} */
  async add(
    account: Account,
    source: TorrentSource,
    requestedPath: string,
    record: LibraryRecord = NEW_LIBRARY_RECORD,
  ): Promise<TorrentId> {
    const { engine, library, savePaths } = this.deps;
    const savePath = await savePaths.resolve(account, requestedPath);
    const params = { source, savePath, ownerId: account.id, library: record, paused: false };
    const { id, existed, trackers } = await this.#addToEngine(params);
    if (!existed) return id;
    const facts = library.find(id);
    if (!facts || library.accessOf(account, facts) === null) throw new RequestError('TORRENT_HIDDEN');
    await engine.client.mergeTrackers({ id, tiers: trackers });
    return id;
  }

  async #addToEngine(params: AddTorrentParams): Promise<AddTorrentResult> {
    try {
      return await this.deps.engine.client.addTorrent(params);
    } catch (error) {
      if (error instanceof AppError && REFUSALS.has(error.code))
        throw new RequestError('TORRENT_REFUSED', error.message);
      throw error;
    }
  }
}
