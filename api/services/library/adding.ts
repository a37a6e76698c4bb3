// How torrents come in: by magnet, by file, by URL. Owns what happens when a torrent is there already
// (docs/semantics.md section 5): an account that may edit it merges trackers; any other becomes one more holder, with a
// share of its own (engine/torrent/holders.ts), or is refused where the torrent is private and only its hash was sent.
import type { AddTorrentParams, AddTorrentResult, TorrentSource } from '../../../shared-protocol/commands/adding.js';
import type { CreationRef } from '../../../shared-protocol/commands/creations.js';
import type { EngineClient } from '../../../shared-protocol/commands.js';
import type { AddingBody } from '../../../shared-protocol/dto/adding.js';
import { PLACED_BY_FLEET } from '../../../shared-protocol/engine-choice.js';
import { AppError, type ErrorCode } from '../../../shared-protocol/errors.js';
import type { TorrentId } from '../../../shared-protocol/ids.js';
import { NEW_LIBRARY_RECORD } from '../../../shared-protocol/library-record.js';
import { sourceId } from '../../../shared-protocol/source-id.js';
import { sourceSize } from '../../../shared-protocol/source-size.js';
import type { Egress } from '../../egress/egress.js';
import { notFound, RequestError, sameReason } from '../../errors.js';
import type { Account } from '../../auth/account.js';
import type { AddingDefaults } from './adding-defaults.js';
import type { EnginePlacement, Place } from './engine-placement.js';
import type { Labels } from './labels.js';
import type { Library } from './library.js';
import type { Quotas } from './quotas.js';
import type { LargeTorrentFiles } from './large-torrent-files.js';
import type { Running } from './running.js';
import { placementWish } from './placement-wish.js';
import { recordWished, wishesOf } from './adding-wishes.js';
import { accessToShare, includesAccess, refOf, type ListedTorrent } from './shares.js';
import { sourceAt } from './torrent-source.js';
import type { SavePaths } from '../settings/save-paths.js';

/** docs/api.md: an add answers 400 when persistence fails. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['STORAGE_FAILED', 'DISK_FULL', 'DISK_FAILED']);

export interface AddingDeps {
  readonly engine: { readonly client: Pick<EngineClient, 'addTorrent' | 'joinTorrent' | 'mergeTrackers'> };
  readonly library: Pick<Library, 'find' | 'accessOf' | 'shareFor' | 'editRecord'>;
  readonly labels: Pick<Labels, 'category' | 'tag'>;
  readonly savePaths: Pick<SavePaths, 'resolve' | 'tryOut' | 'usable'>;
  readonly egress: Pick<Egress, 'fetch'>;
  readonly defaults: Pick<AddingDefaults, 'inForce'>;
  readonly quotas: Pick<Quotas, 'within'>;
  readonly running: Pick<Running, 'hasRoom'>;
  readonly placement: Pick<EnginePlacement, 'within' | 'look'>;
  readonly largeFiles: Pick<LargeTorrentFiles, 'inTurn'>;
}

export interface Added extends Pick<AddTorrentResult, 'id' | 'existed'> {
  /** The account had it: nothing was done but that its trackers may be more now. */
  readonly wasOwn: boolean;
}

/** How it begins, looked at: the path is where it may go, the category and the tags are there. */
type Judged = Omit<AddTorrentParams, 'source' | 'ownerId'>;

export class Adding {
  constructor(private readonly deps: AddingDeps) {}

  /** @throws RequestError `FORBIDDEN`, `NOT_FOUND`, `QUOTA_EXCEEDED`, `TORRENT_REFUSED`, `TORRENT_HIDDEN`; AppError of the engine */
  addMagnet(account: Account, uri: string, beginning: AddingBody = {}): Promise<TorrentId> {
    return this.add(account, { kind: 'magnet', uri }, beginning);
  }

  /** `bytes` in memory of their own. @throws as {@link addMagnet} */
  addFile(account: Account, bytes: Uint8Array, beginning: AddingBody = {}): Promise<TorrentId> {
    return this.add(account, { kind: 'metainfo', bytes }, beginning);
  }

  /** @throws as {@link addMagnet} */
  async add(account: Account, source: TorrentSource, beginning: AddingBody): Promise<TorrentId> {
    return (await this.addSource(account, source, beginning)).id;
  }

  /** Tells as well whether it was there. @throws as {@link addMagnet} */
  async addSource(account: Account, source: TorrentSource, beginning: AddingBody): Promise<Added> {
    return this.#placed(account, source, beginning, async (place) =>
      this.#add(account, source, await this.#judge(place, beginning)),
    );
  }

  /** Judges a beginning, and adds nothing. @throws RequestError `FORBIDDEN`, `NOT_FOUND`, `PATH_UNUSABLE`, `BODY_INVALID`; AppError `ENGINE_AWAY` */
  async judge(account: Account, beginning: AddingBody): Promise<void> {
    await this.#judged(account, beginning);
  }

  /** Adds what the engine's creation hashed just now, from where it lies. @throws as {@link addMagnet}; AppError `FILES_CHANGED` */
  async addCreated(
    account: Account,
    bytes: Uint8Array,
    beginning: AddingBody,
    { creation: created }: CreationRef,
  ): Promise<TorrentId> {
    // It lies where it was hashed, and is made to be seeded.
    const placed = {
      ...beginning,
      paused: beginning.paused ?? false,
      incomplete_path: '',
      incomplete_suffix: '',
      content_layout: 'original' as const,
      portable_names: false,
      excluded_file_names: [],
    };
    const judged = await this.#judge({ account, on: null, hasInherited: true }, placed);
    return (await this.#add(account, { kind: 'metainfo', bytes }, { ...judged, created })).id;
  }

  /**
   * A magnet, or the URL of a file; it may redirect to a magnet. `cookie` is for the origin of the URL; '' for none.
   * @throws as {@link addMagnet}; `FETCH_REFUSED`, `FETCH_FAILED`
   */
  async addUrl(account: Account, url: string, beginning: AddingBody, cookie = ''): Promise<Added> {
    // Before anything is fetched for an account that may not save there.
    const judged = await this.#judged(account, beginning);
    const source = await sourceAt(this.deps.egress, account, url, cookie);
    return this.#placed(account, source, beginning, async (place) =>
      this.#add(account, source, place.on === null ? judged : await this.#judge(place, beginning)),
    );
  }

  #judged(account: Account, beginning: AddingBody): Promise<Judged> {
    return this.#judge(
      this.deps.placement.look(account, placementWish(account, beginning, this.deps.labels)),
      beginning,
    );
  }

  /** On the engine that the account's torrents are on, or on which this one is best. */
  #placed<Result>(
    account: Account,
    source: TorrentSource,
    beginning: AddingBody,
    add: (place: Place) => Promise<Result>,
  ): Promise<Result> {
    const isPlaced = account.engine === PLACED_BY_FLEET;
    const sizeBytes = isPlaced ? sourceSize(source) : null;
    const needsRoom = isPlaced && !beginning.skip_check && !this.#sees(account, source);
    return this.deps.placement.within(
      account,
      { ...placementWish(account, beginning, this.deps.labels), sizeBytes, needsRoom },
      add,
    );
  }

  /** Whether the account knows that the torrent is there already: of others' it may not learn it by how much room there is. */
  #sees(account: Account, source: TorrentSource): boolean {
    const id = sourceId(source);
    const torrent = id === null ? undefined : this.deps.library.find(id);
    return torrent !== undefined && this.deps.library.accessOf(account, torrent) !== null;
  }

  async #judge({ account, on, hasInherited }: Place, beginning: AddingBody): Promise<Judged> {
    const { save_path, incomplete_path, paused, sequential, category_id, content_layout, preallocation } = beginning;
    const { labels, savePaths, defaults } = this.deps;
    const suffix = beginning.incomplete_suffix ?? defaults.inForce.incomplete_suffix ?? '';
    const excludedNames = beginning.excluded_file_names ?? defaults.inForce.excluded_file_names;
    const categoryId = category_id ?? null;
    const category = categoryId === null ? null : labels.category(categoryId);
    if (category === undefined) throw notFound('category');
    const inherited = hasInherited ? category?.default_save_path : '';
    const completePath = await savePaths.resolve(account, save_path ?? '', inherited);
    // One that says nothing waits for its volume; what lies there complete may be seeded from where nothing can be written.
    if (save_path && !beginning.skip_check) await savePaths.tryOut(account, completePath, 'save_path');
    const incompletePath = await this.#incompletePath(account, incomplete_path ?? null);
    return {
      ...(on !== null && { on }),
      ...(incompletePath === '' ? { savePath: completePath } : { savePath: incompletePath, completePath }),
      paused: paused ?? defaults.inForce.paused,
      sequential: sequential ?? false,
      layout: content_layout ?? defaults.inForce.content_layout,
      preallocation: preallocation ?? defaults.inForce.preallocation,
      names: (beginning.portable_names ?? defaults.inForce.portable_names) ? 'portable' : 'posix',
      ...(suffix !== '' && { incompleteSuffix: suffix }),
      ...(excludedNames.length > 0 && { excludedNames }),
      library: { ...NEW_LIBRARY_RECORD, categoryId, ...recordWished(beginning, labels) },
      ...wishesOf(beginning),
    };
  }

  /** Returns '' where it lies in its save path from the beginning. */
  #incompletePath(account: Account, requested: string | null): Promise<string> | string {
    const { savePaths } = this.deps;
    if (requested === null) return savePaths.usable(account, this.deps.defaults.inForce.incomplete_path);
    return requested === '' ? '' : savePaths.resolve(account, requested, '', 'incomplete_path');
  }

  #add(account: Account, source: TorrentSource, beginning: Judged): Promise<Added> {
    return this.deps.quotas.within(account, source, (maxBytes) =>
      this.#addNow(account, source, {
        ...this.#held(account, beginning),
        ...(maxBytes === undefined ? {} : { maxBytes }),
      }),
    );
  }

  /** A torrent that the account may not run yet is added all the same, and begins when it may. */
  #held(account: Account, beginning: Judged): Judged {
    if (beginning.paused || this.deps.running.hasRoom(account)) return beginning;
    return {
      ...beginning,
      paused: true,
      library: { ...(beginning.library ?? NEW_LIBRARY_RECORD), quotaHold: 'active' },
    };
  }

  async #addNow(account: Account, source: TorrentSource, beginning: Judged): Promise<Added> {
    const params = { source, ownerId: account.id, ...beginning };
    const { id, existed, trackers } = await this.#inTurn(params, () => this.deps.engine.client.addTorrent(params));
    if (!existed) return { id, existed, wasOwn: false };
    try {
      return await this.#addAgain(account, id, params, trackers);
    } catch (error) {
      // The last who held it has removed it meanwhile, so that it is new.
      if (error instanceof AppError && error.code === 'TORRENT_NOT_FOUND')
        return this.#addNow(account, source, beginning);
      throw error;
    }
  }

  async #addAgain(
    account: Account,
    id: TorrentId,
    params: AddTorrentParams,
    tiers: AddTorrentResult['trackers'],
  ): Promise<Added> {
    const { engine, library } = this.deps;
    const torrent = library.find(id);
    const share = torrent && library.shareFor(account.id, torrent);
    if (share && includesAccess(accessToShare(account.id, share) ?? 'viewer', 'editor')) {
      await this.#noteOthersChoices(share, tiers);
      await engine.client.mergeTrackers({ ...refOf(share), tiers, accountId: account.id });
      return { id, existed: true, wasOwn: true };
    }
    // Whether others have it is not for those to know who cannot see it.
    const existed = torrent !== undefined && library.accessOf(account, torrent) !== null;
    try {
      // Where the data lie meanwhile is not this account's to say.
      const { completePath = params.savePath } = params;
      await this.#inTurn(params, () => engine.client.joinTorrent({ ...params, savePath: completePath }));
    } catch (error) {
      const isPrivate = error instanceof AppError && error.code === 'TORRENT_PRIVATE';
      if (!isPrivate) throw error;
      if (!existed) throw new RequestError('TORRENT_HIDDEN');
      return { id, existed, wasOwn: true };
    }
    return { id, existed, wasOwn: false };
  }

  /** Trackers decide about seeding rules, and these may be of whoever made the magnet or filled the feed. */
  async #noteOthersChoices(share: ListedTorrent, tiers: AddTorrentResult['trackers']): Promise<void> {
    const known = new Set(share.trackers.split('\n'));
    if (tiers.flat().every((url) => known.has(url))) return;
    await this.deps.library.editRecord(refOf(share), (record) =>
      record.hasOthersChoices ? record : { ...record, hasOthersChoices: true },
    );
  }

  #inTurn<Result>({ source, ownerId }: AddTorrentParams, parse: () => Promise<Result>): Promise<Result> {
    const bytes = source.kind === 'metainfo' ? source.bytes.byteLength : 0;
    return orRefused(this.deps.largeFiles.inTurn(ownerId, bytes, parse));
  }
}

async function orRefused<Result>(added: Promise<Result>): Promise<Result> {
  try {
    return await added;
  } catch (error) {
    if (error instanceof AppError && REFUSALS.has(error.code))
      throw new RequestError('TORRENT_REFUSED', error.message, sameReason(error));
    throw error;
  }
}
