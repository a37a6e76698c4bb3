// Whose is what on disk. A torrent claims the place of its files (save path and first names below it) and, by inode, each
// file that it made or rightly took over. Owns two rules. Places of torrents of different accounts do not overlap: the
// torrent that comes later is laid beside, in a folder whose name is free. And what lies at a torrent's place without
// being its own is taken over only for administrators, for accounts in their homes, and where another torrent of the
// same account has it; for any other account it is never opened, and as good as absent.
import { basename, dirname, join } from 'node:path';
import type { Adopter, TorrentOverlap } from '../../shared-protocol/commands/shares.js';
import type { ContentLayout } from '../../shared-protocol/content-layout.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { AccountId, TorrentId } from '../../shared-protocol/ids.js';
import { isAtOrBelow } from '../../storage/real-location.js';
import type { PathLooks } from '../disk/types.js';
import {
  areTooManyTopNames,
  IncompleteNames,
  laidOut,
  NO_FOLDER,
  topNameOf,
  topNamesOf,
  type DiskPaths,
  type TorrentFile,
  type TorrentInfo,
} from '../metainfo/index.js';
import type { Log } from '../environment.js';
import { ELSEWHERE, FileRecord, inodesOf, type FileIdentity, type RecordStore } from './file-record.js';
import { FilesElsewhere } from './files-elsewhere.js';
import { foldersToTry, MAX_BESIDE, placeRow, type PlaceRow } from './folders-to-try.js';
import { areMixedUp, namesOf, pathsOf, Places, type Place } from './places.js';
import { TorrentFiles } from './torrent-files.js';
import type { ClaimingTorrent, ReadRight } from './types.js';

export interface ClaimsDeps {
  readonly store: RecordStore;
  readonly looks: PathLooks;
  readonly log: Log;
}

/** A place that is taken until `release`; by then the torrent claims it itself, or is not to be. */
export interface Reservation {
  /** Nothing while the metadata is unknown. */
  readonly place: PlaceRow;
  release(): void;
}

/** Where a torrent is to be moved. */
export interface TargetWanted {
  readonly savePath: string;
  readonly existing: boolean;
  /** An administrator asks for the files that lie there to become the torrent's. */
  readonly mayTakeOver: boolean;
  /** The account that asks. */
  readonly accountId: AccountId;
}

export class Claims {
  readonly #places = new Places<ClaimingTorrent>();
  /** Where save paths really lead, as they did when they were first used. */
  readonly #directories = new Map<string, string>();
  /** Torrents for which an administrator takes over what lies at their places, until the check is made. */
  readonly #granted = new Set<TorrentId>();
  /** Inodes of torrents that others of the same account share files with: kept up once they were asked for. */
  readonly #inodes = new Map<TorrentId, Set<number>>();
  #adopters: ReadonlyMap<AccountId, string | null> | null = null;

  constructor(private readonly deps: ClaimsDeps) {}

  /** Sets who may take over files; null: every account. */
  setAdopters(adopters: readonly Adopter[] | null): void {
    this.#adopters = adopters && new Map(adopters.map(({ accountId, home }) => [accountId, home]));
  }

  /** Before torrents that are saved there are added. */
  async learn(savePath: string): Promise<string> {
    let directory = this.#directories.get(savePath);
    if (directory === undefined) {
      directory = await this.deps.looks.realPath(savePath);
      this.#directories.set(savePath, directory);
    }
    return directory;
  }

  /** The same for torrents that are there already: where their save path leads nowhere just then, it is taken by its name. */
  async learnStored(savePath: string): Promise<void> {
    await this.learn(savePath).catch(() => this.#directories.set(savePath, savePath));
  }

  /** The real location of a save path that has been learnt. */
  realPath(savePath: string): string {
    return this.#directories.get(savePath) ?? savePath;
  }

  /** From now on it claims its place, if it knows it. Its save path has been learnt. */
  add(torrent: ClaimingTorrent): void {
    const place = this.#placeOf(torrent);
    if (place) this.#places.add(place, torrent);
  }

  remove(torrent: ClaimingTorrent): void {
    const place = this.#placeOf(torrent);
    if (place) this.#places.remove(place, torrent);
    this.#granted.delete(torrent.id);
    this.#inodes.delete(torrent.id);
  }

  /** Others whose place touches that of this one. */
  neighbours(torrent: ClaimingTorrent): Set<ClaimingTorrent> {
    const place = this.#placeOf(torrent);
    const found = place ? [...this.#places.overlapping(place)] : [];
    return new Set(found.filter(({ id }) => id !== torrent.id));
  }

  /**
   * A place for a torrent that is new, or whose metadata has just come (`info`; null: not yet, and only the save path is
   * looked at), laid out as it wants where that is free. @throws AppError `SAVE_PATH_INVALID` inside the folder of another account's torrent
   */
  async reserve(
    torrent: Pick<ClaimingTorrent, 'id' | 'ownerId' | 'savePath' | 'incompleteSuffix'> & {
      readonly layout?: ContentLayout;
    },
    info: TorrentInfo | null,
  ): Promise<Reservation> {
    const { id, ownerId, savePath, layout = 'original', incompleteSuffix } = torrent;
    const directory = await this.learn(savePath);
    const isFree = (places: Iterable<ClaimingTorrent>) => this.#isEverywhere(ownerId) || isOnlyOf(places, ownerId);
    if (!isFree(this.#places.around(directory))) {
      throw new AppError('SAVE_PATH_INVALID', 'save_path: lies in the folder of a torrent of another account');
    }
    if (!info) return { place: {}, release: () => undefined };
    for (const { folder, isOwn } of foldersToTry(info, id, layout)) {
      const laid = laidOut(info, { folder });
      const topNames = topNamesOf(laid);
      const claim: ClaimingTorrent = { id, ownerId, isShared: false, savePath, topNames, incompleteSuffix };
      const place = { directory, names: namesOf(claim) };
      const files = isOwn ? this.#underBothNames(claim, laid.files) : null;
      if (!(await this.#isFreeOnDisk(ownerId, place, files))) continue;
      const there = folder === NO_FOLDER ? await this.#likeness(directory, laid.files) : 'same';
      if (there === 'others') continue;
      // Nothing is waited for from here on until it is taken.
      const others = [...this.#places.overlapping(place)];
      if (!isFree(others) || (there === 'new' && others.length > 0)) continue;
      if (others.some((other) => areMixedUp(claim, other))) continue;
      this.#places.add(place, claim);
      const name = isOwn || folder === undefined ? topNameOf(info) : folder;
      return { place: placeRow(name, folder, topNames), release: () => this.#places.remove(place, claim) };
    }
    const own = topNameOf(info);
    throw new AppError('SAVE_PATH_INVALID', `save_path: more than ${MAX_BESIDE} names beside ${own} are taken`);
  }

  /**
   * Exactly this place, for a torrent that another program has laid there. `mayTakeOver`: an administrator has it take over what
   * lies there. @throws AppError `SAVE_PATH_INVALID` where it may not lie
   */
  async reserveExactly(
    torrent: Pick<ClaimingTorrent, 'id' | 'ownerId' | 'savePath' | 'incompleteSuffix'>,
    info: TorrentInfo,
    { folder, own }: DiskPaths,
    mayTakeOver: boolean,
  ): Promise<Reservation> {
    const { id, ownerId, savePath, incompleteSuffix } = torrent;
    const directory = await this.learn(savePath);
    const laid = laidOut(info, { folder, own });
    const topNames = topNamesOf(laid);
    if (areTooManyTopNames(topNames)) {
      throw new AppError('SAVE_PATH_INVALID', 'save_path: the torrent has too many names right in it');
    }
    const claim: ClaimingTorrent = { id, ownerId, isShared: false, savePath, topNames, incompleteSuffix };
    const place = { directory, names: namesOf(claim) };
    if (!mayTakeOver && !(await this.#isFreeOnDisk(ownerId, place, this.#underBothNames(claim, laid.files)))) {
      throw new AppError(
        'SAVE_PATH_INVALID',
        `save_path: ${topNames[0]} lies there, and is not for this account to take`,
      );
    }
    // Nothing is waited for from here on until it is taken.
    const others = [...this.#places.around(directory), ...this.#places.overlapping(place)];
    const isFree = this.#isEverywhere(ownerId) || isOnlyOf(others, ownerId);
    if (!isFree || others.some((other) => areMixedUp(claim, other))) {
      throw new AppError('SAVE_PATH_INVALID', `save_path: ${topNames[0]} is the place of another torrent`);
    }
    this.#places.add(place, claim);
    const name = folder ? folder : topNameOf(info);
    return { place: placeRow(name, folder, topNames), release: () => this.#places.remove(place, claim) };
  }

  /**
   * The place at another save path, under the names that the torrent has, for a move there. With `existing` files that lie
   * there are to be its own: only as far as they would be taken over, or an administrator asks (`mayTakeOver`).
   * @throws AppError `SAVE_PATH_INVALID` where torrents of other accounts lie; `MOVE_TARGET_TAKEN`
   */
  async reserveAt(
    torrent: ClaimingTorrent,
    { savePath, existing, ...asker }: TargetWanted,
    files: readonly TorrentFile[],
  ): Promise<Reservation> {
    const { id, ownerId } = torrent;
    const directory = await this.learn(savePath);
    const place = { directory, names: namesOf(torrent) };
    const others = (places: Iterable<ClaimingTorrent>) => [...places].filter((other) => other.id !== id);
    const isFree = existing
      ? await this.#mayPointAt(ownerId, place, this.#underBothNames(torrent, files), asker)
      : await this.#isFreeForMove(ownerId, place);
    const isMixedUp = others(this.#places.overlapping(place)).some((other) => areMixedUp(torrent, other));
    if (!isFree || isMixedUp) {
      const name = (torrent.topNames ?? []).join(', ').slice(0, 200);
      throw new AppError('MOVE_TARGET_TAKEN', `path: ${name} lies there already, and is not the torrent's`, {
        path: name,
      });
    }
    // Nothing is waited for from here on until it is taken.
    const touching = [...this.#places.around(directory), ...this.#places.overlapping(place)];
    if (!this.#isEverywhere(ownerId) && !isOnlyOf(others(touching), ownerId)) {
      throw new AppError('SAVE_PATH_INVALID', 'path: lies in the folder of a torrent of another account');
    }
    return this.hold(torrent, savePath);
  }

  /**
   * Other names at the torrent's save path, for files that are to be renamed. Nothing that lies there is taken over, and an
   * editor puts nothing into folders by its owner's rights (docs/decisions/0012-editors-do-not-adopt.md).
   * @throws AppError `MOVE_TARGET_TAKEN`
   */
  async reserveNames(
    torrent: ClaimingTorrent,
    topNames: readonly string[],
    accountId: AccountId,
  ): Promise<Reservation> {
    const { id, ownerId, savePath } = torrent;
    const directory = this.realPath(savePath);
    const renamed = { ...claimOf(torrent), topNames: topNames.filter((name) => !torrent.topNames?.includes(name)) };
    const present = new Set(namesOf(torrent));
    const place = { directory, names: namesOf(renamed).filter((name) => !present.has(name)) };
    const mayBoth = (may: (account: AccountId) => boolean) => may(ownerId) && may(accountId);
    const isThere = await this.#isAnyThere(place);
    // Nothing is waited for from here on until it is taken.
    const others = [...this.#places.overlapping(place)].filter((other) => other.id !== id);
    const isFree = others.length === 0 && !isThere;
    const isWithOwn = accountId === ownerId && others.length > 0 && isOnlyOf(others, ownerId);
    const mayShare = mayBoth((account) => this.#isEverywhere(account)) || isOnlyOf(others, ownerId);
    const mayAdopt = mayBoth((account) => this.#mayAdoptIn(account, directory)) && mayShare;
    const isMixedUp = others.some((other) => areMixedUp(renamed, other));
    if (isMixedUp || (place.names.length > 0 && !isFree && !isWithOwn && !mayAdopt)) {
      throw takenName(renamed.topNames[0] ?? place.names[0]!);
    }
    return this.hold(torrent, savePath, topNames);
  }

  /** The torrent's place at another save path, which has been learnt, or under other names. */
  hold(torrent: ClaimingTorrent, savePath: string, topNames = torrent.topNames): Reservation {
    const claim = { ...claimOf(torrent), savePath, topNames };
    const place = this.#placeOf(claim);
    if (place) this.#places.add(place, claim);
    return { place: {}, release: () => place && this.#places.remove(place, claim) };
  }

  /** Returns what tells which files at the other place of a torrent that is being moved are its own. */
  elsewhereOf({ id }: Pick<ClaimingTorrent, 'id'>, fileCount: number): FilesElsewhere {
    const noteInode = (inode: number) => void this.#inodes.get(id)?.add(inode);
    return new FilesElsewhere(new FileRecord(this.deps.store, id, fileCount, noteInode, ELSEWHERE));
  }

  /** `isClaimed`: what is its own has been recorded before; else all that lies at its paths is. `files`: as they lie on disk. */
  filesOf(torrent: ClaimingTorrent, files: readonly TorrentFile[], isClaimed: boolean): TorrentFiles {
    const noteInode = (inode: number) => void this.#inodes.get(torrent.id)?.add(inode);
    const directory = this.realPath(torrent.savePath);
    const record = new FileRecord(this.deps.store, torrent.id, files.length, noteInode);
    return new TorrentFiles(record, {
      log: this.deps.log,
      takesOver: () => !isClaimed || this.#mayAdoptIn(torrent.ownerId, directory),
      takesOverInode: (inode) => this.#isGranted(torrent, inode) || this.#hasSibling(torrent, inode),
      isGranted: (inode) => this.#granted.has(torrent.id) && !this.#isOthers(torrent, inode),
      isOthers: (inode) => this.#isOthers(torrent, inode),
      isIncompleteOfOther: (index, inode) => this.#isIncompleteOfOther(torrent, files[index]!, inode),
      hasTwoNames: torrent.incompleteSuffix !== undefined,
    });
  }

  /**
   * Returns which files at or below a path an account may have read that it names itself, to make a torrent of them; null:
   * none. Those that its torrents have recorded as their own, and in its home what has no other name outside of it. Nothing
   * where a torrent of another account lies, but for administrators.
   */
  readRight(accountId: AccountId, path: string): ReadRight | null {
    if (this.#isEverywhere(accountId)) return { admits: () => true };
    const touching = [...this.#places.overlapping({ directory: dirname(path), names: [basename(path)] })];
    if (touching.some(({ ownerId }) => ownerId !== accountId)) return null;
    const isInHome = this.#mayAdoptIn(accountId, path);
    const isInOwn = touching.some((torrent) => {
      const place = this.#placeOf(torrent);
      return place !== null && pathsOf(place).some((own) => isAtOrBelow(path, own));
    });
    if (!isInHome && !isInOwn) return null;
    return {
      admits: ({ inode, linkCount }) => (isInHome && linkCount === 1) || this.#isRecordedBy(touching, inode),
    };
  }

  /** An administrator has asked for a check: what lies there and is no other torrent's is taken over by it. */
  grant(id: TorrentId): void {
    this.#granted.add(id);
  }

  revokeGrant(id: TorrentId): void {
    this.#granted.delete(id);
  }

  /** Torrents of different accounts that claim the same. */
  overlaps(): TorrentOverlap[] {
    const found = new Map<string, TorrentOverlap>();
    for (const [one, other, path] of this.#places.touching()) {
      const both = `${one.id} ${other.id}`;
      if (one.ownerId !== other.ownerId && !found.has(both)) found.set(both, { one: one.id, other: other.id, path });
    }
    return [...found.values()];
  }

  /** The files that are recorded as the torrent's own, by index; null: none. */
  recordOf(id: TorrentId, fileCount: number): readonly (FileIdentity | null)[] {
    const record = new FileRecord(this.deps.store, id, fileCount);
    return Array.from({ length: fileCount }, (_, index) => record.of(index));
  }

  #placeOf(torrent: ClaimingTorrent): Place | null {
    const directory = this.#directories.get(torrent.savePath);
    return directory === undefined || torrent.topNames === null ? null : { directory, names: namesOf(torrent) };
  }

  #underBothNames({ incompleteSuffix }: ClaimingTorrent, files: readonly TorrentFile[]): readonly TorrentFile[] {
    return new IncompleteNames(files, incompleteSuffix).withBoth(files);
  }

  async #isAnyThere(place: Place): Promise<boolean> {
    for (const path of pathsOf(place)) if ((await this.deps.looks.at(path)) !== null) return true;
    return false;
  }

  #isEverywhere(accountId: AccountId): boolean {
    return this.#adopters === null || this.#adopters.get(accountId) === null;
  }

  #mayAdoptIn(ownerId: AccountId, directory: string): boolean {
    const home = this.#adopters?.get(ownerId);
    return this.#isEverywhere(ownerId) || (typeof home === 'string' && isAtOrBelow(directory, home));
  }

  /** `files`: of the torrent that would lie there; null: nothing may. */
  async #isFreeOnDisk(ownerId: AccountId, place: Place, files: readonly TorrentFile[] | null): Promise<boolean> {
    if (files && this.#mayAdoptIn(ownerId, place.directory)) return true;
    if (!(await this.#isAnyThere(place))) return true;
    const siblings = [...this.#places.overlapping(place)].filter((other) => isOf(other, ownerId));
    if (!files || siblings.length === 0) return false;
    for (const { path, isPad } of files) {
      const there = isPad ? null : await this.deps.looks.at(join(place.directory, ...path));
      if (there !== null && !this.#isRecordedBy(siblings, there.inode)) return false;
    }
    return true;
  }

  /**
   * Tells what lies at the paths of a torrent without a folder, whose names are anybody's: `same`: all its files, by their
   * sizes; `others`: a file that is not its own by its size, which nobody is to take over; else `new`.
   */
  async #likeness(directory: string, files: readonly TorrentFile[]): Promise<'same' | 'others' | 'new'> {
    let areAllThere = true;
    for (const { path, sizeBytes, isPad } of files) {
      const there = isPad ? null : await this.deps.looks.at(join(directory, ...path));
      if (there && there.sizeBytes !== sizeBytes) return 'others';
      areAllThere &&= isPad || there !== null;
    }
    return areAllThere ? 'same' : 'new';
  }

  /** Where files are brought: none of the torrent's may be there, which is looked at one by one. */
  async #isFreeForMove(ownerId: AccountId, place: Place): Promise<boolean> {
    if (this.#mayAdoptIn(ownerId, place.directory)) return true;
    if (!(await this.#isAnyThere(place))) return true;
    // A folder that it has in common with another torrent of its account.
    return [...this.#places.overlapping(place)].some((other) => isOf(other, ownerId));
  }

  /**
   * Says whether the torrent may have what lies there; an editor does not take files over by its owner's rights (docs/decisions/0012-editors-do-not-adopt.md).
   * @throws AppError `SAVE_PATH_INVALID` where there is nothing to point at
   */
  async #mayPointAt(
    ownerId: AccountId,
    place: Place,
    files: readonly TorrentFile[],
    { accountId, mayTakeOver }: Pick<TargetWanted, 'accountId' | 'mayTakeOver'>,
  ): Promise<boolean> {
    if (!mayTakeOver && accountId !== ownerId && !this.#mayAdoptIn(accountId, place.directory)) return false;
    if (!mayTakeOver && !(await this.#isFreeOnDisk(ownerId, place, files))) return false;
    for (const { path, isPad } of files) {
      if (!isPad && (await this.deps.looks.at(join(place.directory, ...path)))) return true;
    }
    throw new AppError('SAVE_PATH_INVALID', 'path: none of the files of the torrent lies there');
  }

  #isGranted(torrent: ClaimingTorrent, inode: number): boolean {
    if (!this.#granted.has(torrent.id)) return false;
    const others = [...this.neighbours(torrent)].filter((other) => !isOf(other, torrent.ownerId));
    return !this.#isRecordedBy(others, inode);
  }

  #hasSibling(torrent: ClaimingTorrent, inode: number): boolean {
    const siblings = [...this.neighbours(torrent)].filter((other) => isOf(other, torrent.ownerId));
    return this.#isRecordedBy(siblings, inode);
  }

  #isOthers(torrent: ClaimingTorrent, inode: number): boolean {
    return this.#isRecordedBy([...this.neighbours(torrent)], inode);
  }

  /** Another torrent has the file, under a name that incomplete ones of it have: it is not what the torrent looks for there. */
  #isIncompleteOfOther(torrent: ClaimingTorrent, { path }: TorrentFile, inode: number): boolean {
    const name = path.at(-1)!.toLowerCase();
    const others = [...this.neighbours(torrent)].filter(
      ({ incompleteSuffix }) => incompleteSuffix !== undefined && name.endsWith(incompleteSuffix.toLowerCase()),
    );
    return this.#isRecordedBy(others, inode);
  }

  #isRecordedBy(torrents: readonly ClaimingTorrent[], inode: number): boolean {
    return torrents.some(({ id }) => {
      let inodes = this.#inodes.get(id);
      if (!inodes) this.#inodes.set(id, (inodes = inodesOf(this.deps.store, id)));
      return inodes.has(inode);
    });
  }
}

/** The parts of the torrent that make its claim, as they are now. */
function claimOf({ id, ownerId, isShared, savePath, topNames, incompleteSuffix }: ClaimingTorrent): ClaimingTorrent {
  return { id, ownerId, isShared, savePath, topNames, incompleteSuffix };
}

/** Whether the torrent is the account's alone: one that others hold as well is not for one holder to write over. */
function isOf({ ownerId, isShared }: ClaimingTorrent, accountId: AccountId): boolean {
  return ownerId === accountId && !isShared;
}

function isOnlyOf(torrents: Iterable<ClaimingTorrent>, ownerId: AccountId): boolean {
  for (const torrent of torrents) if (!isOf(torrent, ownerId)) return false;
  return true;
}

function takenName(name: string): AppError {
  return new AppError('MOVE_TARGET_TAKEN', `to: ${name} lies there already, and is not the torrent's`, { path: name });
}
