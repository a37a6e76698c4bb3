// Whose is what on disk. A torrent claims the place of its files (save path and first names below it) and, by inode, each
// file that it made or rightly took over. Two rules hold. Places of torrents of different accounts do not overlap: the
// torrent that comes later is laid beside, in a folder whose name is free. And what lies at a torrent's place without
// being its own is taken over only for administrators, for accounts in their homes, and where another torrent of the
// same account has it; for any other account it is never opened, and as good as absent.
import type { Adopter, TorrentOverlap } from '../../shared-protocol/commands/shares.js';
import type { ContentLayout } from '../../shared-protocol/content-layout.js';
import type { AccountId, TorrentId } from '../../shared-protocol/ids.js';
import type { PathLooks } from '../disk/types.js';
import type { Log } from '../environment.js';
import type { DiskPaths, TorrentFile, TorrentInfo } from '../metainfo/index.js';
import { Adopters } from './adopters.js';
import { ClaimedPlaces, type Reservation } from './claimed-places.js';
import type { FileIdentity, RecordStore } from './file-record.js';
import type { FilesElsewhere } from './files-elsewhere.js';
import { LyingThere } from './lying-there.js';
import { OwnFiles } from './own-files.js';
import { PlacesForAdded, type AddedTorrent } from './places-for-added.js';
import { PlacesForMoved, type TargetWanted } from './places-for-moved.js';
import { readRight } from './read-right.js';
import { RecordedInodes } from './recorded-inodes.js';
import type { TorrentFiles } from './torrent-files.js';
import type { ClaimingTorrent, ReadRight } from './types.js';

export interface ClaimsDeps {
  readonly store: RecordStore;
  readonly looks: PathLooks;
  readonly log: Log;
}

export class Claims {
  readonly #adopters = new Adopters();
  readonly #places: ClaimedPlaces;
  readonly #inodes: RecordedInodes;
  readonly #forAdded: PlacesForAdded;
  readonly #forMoved: PlacesForMoved;
  readonly #files: OwnFiles;

  constructor({ store, looks, log }: ClaimsDeps) {
    const adopters = this.#adopters;
    const places = new ClaimedPlaces(looks);
    const inodes = new RecordedInodes(store);
    const lyingThere = new LyingThere({ looks, places, adopters, inodes });
    this.#places = places;
    this.#inodes = inodes;
    this.#forAdded = new PlacesForAdded({ places, adopters, lyingThere });
    this.#forMoved = new PlacesForMoved({ places, adopters, lyingThere });
    this.#files = new OwnFiles({ store, log, places, adopters, inodes });
  }

  /** Sets who may take over files; null: every account. */
  setAdopters(adopters: readonly Adopter[] | null): void {
    this.#adopters.set(adopters);
  }

  /** Before torrents that are saved there are added. Returns where the save path really leads. */
  learn(savePath: string): Promise<string> {
    return this.#places.learn(savePath);
  }

  /** The same for torrents that are there already: where their save path leads nowhere just then, it is taken by its name. */
  learnStored(savePath: string): Promise<void> {
    return this.#places.learnStored(savePath);
  }

  /** The real location of a save path that has been learnt. */
  realPath(savePath: string): string {
    return this.#places.realPath(savePath);
  }

  /** From now on it claims its place, if it knows it. Its save path has been learnt. */
  add(torrent: ClaimingTorrent): void {
    this.#places.add(torrent);
  }

  remove(torrent: ClaimingTorrent): void {
    this.#places.remove(torrent);
    this.#files.revokeGrant(torrent.id);
    this.#inodes.forget(torrent.id);
  }

  /** Others whose place touches that of this one. */
  neighbours(torrent: ClaimingTorrent): Set<ClaimingTorrent> {
    return this.#places.neighbours(torrent);
  }

  /** Torrents of different accounts that claim the same. */
  overlaps(): TorrentOverlap[] {
    return this.#places.overlaps();
  }

  /** A place for a torrent that is new, or whose metadata has just come. @throws AppError as {@link PlacesForAdded.reserve} does */
  reserve(torrent: AddedTorrent & { readonly layout?: ContentLayout }, info: TorrentInfo | null): Promise<Reservation> {
    return this.#forAdded.reserve(torrent, info);
  }

  /** Exactly this place, for a torrent that another program has laid there. @throws AppError `SAVE_PATH_INVALID` where it may not lie */
  reserveExactly(
    torrent: AddedTorrent,
    info: TorrentInfo,
    paths: DiskPaths,
    mayTakeOver: boolean,
  ): Promise<Reservation> {
    return this.#forAdded.reserveExactly(torrent, info, paths, mayTakeOver);
  }

  /** The place at another save path, for a move there. @throws AppError as {@link PlacesForMoved.reserveAt} does */
  reserveAt(torrent: ClaimingTorrent, wanted: TargetWanted, files: readonly TorrentFile[]): Promise<Reservation> {
    return this.#forMoved.reserveAt(torrent, wanted, files);
  }

  /** Other names at its save path, for files that `accountId` wants renamed. @throws AppError `MOVE_TARGET_TAKEN` */
  reserveNames(torrent: ClaimingTorrent, topNames: readonly string[], accountId: AccountId): Promise<Reservation> {
    return this.#forMoved.reserveNames(torrent, topNames, accountId);
  }

  /** The torrent's place at another save path, which has been learnt, or under other names. @default its own names */
  hold(torrent: ClaimingTorrent, savePath: string, topNames?: readonly string[] | null): Reservation {
    return this.#forMoved.hold(torrent, savePath, topNames);
  }

  /** Returns what tells which files at the other place of a torrent that is being moved are its own. */
  elsewhereOf({ id }: Pick<ClaimingTorrent, 'id'>, fileCount: number): FilesElsewhere {
    return this.#files.elsewhereOf(id, fileCount);
  }

  /** `isClaimed`: what is its own has been recorded before; else all that lies at its paths is. `files`: as they lie on disk. */
  filesOf(torrent: ClaimingTorrent, files: readonly TorrentFile[], isClaimed: boolean): TorrentFiles {
    return this.#files.of(torrent, files, isClaimed);
  }

  /** The files that are recorded as the torrent's own, by index; null: none. */
  recordOf(id: TorrentId, fileCount: number): readonly (FileIdentity | null)[] {
    return this.#files.recordOf(id, fileCount);
  }

  /** Returns which files at or below a path an account may have read that it names itself; null: none. */
  readRight(accountId: AccountId, path: string): ReadRight | null {
    return readRight({ places: this.#places, adopters: this.#adopters, inodes: this.#inodes }, accountId, path);
  }

  /** An administrator has asked for a check: what lies there and is no other torrent's is taken over by it. */
  grant(id: TorrentId): void {
    this.#files.grant(id);
  }

  revokeGrant(id: TorrentId): void {
    this.#files.revokeGrant(id);
  }
}
