// Which files a torrent may have as its own: those that it has recorded, and those that the rules let it take over, which
// depend on whose torrents lie around it and on who may take over there.
import type { TorrentId } from '../../shared-protocol/ids.js';
import type { Log } from '../environment.js';
import type { TorrentFile } from '../metainfo/index.js';
import type { Adopters } from './adopters.js';
import type { ClaimedPlaces } from './claimed-places.js';
import { ELSEWHERE, FileRecord, type FileIdentity, type RecordStore } from './file-record.js';
import { FilesElsewhere } from './files-elsewhere.js';
import { isOf } from './places.js';
import type { RecordedInodes } from './recorded-inodes.js';
import { TorrentFiles } from './torrent-files.js';
import type { ClaimingTorrent } from './types.js';

export interface OwnFilesDeps {
  readonly store: RecordStore;
  readonly log: Log;
  readonly places: ClaimedPlaces;
  readonly adopters: Adopters;
  readonly inodes: RecordedInodes;
}

export class OwnFiles {
  /** Torrents for which an administrator takes over what lies at their places, until the check is made. */
  readonly #granted = new Set<TorrentId>();

  constructor(private readonly deps: OwnFilesDeps) {}

  grant(id: TorrentId): void {
    this.#granted.add(id);
  }

  revokeGrant(id: TorrentId): void {
    this.#granted.delete(id);
  }

  /** `isClaimed`: what is its own has been recorded before; else all that lies at its paths is. `files`: as they lie on disk. */
  of(torrent: ClaimingTorrent, files: readonly TorrentFile[], isClaimed: boolean): TorrentFiles {
    const { log, places, adopters } = this.deps;
    const directory = places.realPath(torrent.savePath);
    return new TorrentFiles(this.#record(torrent.id, files.length), {
      log,
      takesOver: () => !isClaimed || adopters.mayIn(torrent.ownerId, directory),
      takesOverInode: (inode) => this.#isGranted(torrent, inode) || this.#hasSibling(torrent, inode),
      isGranted: (inode) => this.#granted.has(torrent.id) && !this.#isOthers(torrent, inode),
      isOthers: (inode) => this.#isOthers(torrent, inode),
      isIncompleteOfOther: (index, inode) => this.#isIncompleteOfOther(torrent, files[index]!, inode),
      hasTwoNames: torrent.incompleteSuffix !== undefined,
    });
  }

  elsewhereOf(id: TorrentId, fileCount: number): FilesElsewhere {
    return new FilesElsewhere(this.#record(id, fileCount, ELSEWHERE));
  }

  /** The files that are recorded as the torrent's own, by index; null: none. */
  recordOf(id: TorrentId, fileCount: number): readonly (FileIdentity | null)[] {
    const record = new FileRecord(this.deps.store, id, fileCount);
    return Array.from({ length: fileCount }, (_, index) => record.of(index));
  }

  #record(id: TorrentId, fileCount: number, firstPart?: number): FileRecord {
    const { store, inodes } = this.deps;
    return new FileRecord(store, id, fileCount, (inode) => inodes.note(id, inode), firstPart);
  }

  #isGranted(torrent: ClaimingTorrent, inode: number): boolean {
    if (!this.#granted.has(torrent.id)) return false;
    return !this.#isRecordedBy(torrent, (other) => !isOf(other, torrent.ownerId), inode);
  }

  #hasSibling(torrent: ClaimingTorrent, inode: number): boolean {
    return this.#isRecordedBy(torrent, (other) => isOf(other, torrent.ownerId), inode);
  }

  #isOthers(torrent: ClaimingTorrent, inode: number): boolean {
    return this.#isRecordedBy(torrent, () => true, inode);
  }

  /** Another torrent has the file, under a name that incomplete ones of it have: it is not what the torrent looks for there. */
  #isIncompleteOfOther(torrent: ClaimingTorrent, { path }: TorrentFile, inode: number): boolean {
    const name = path.at(-1)!.toLowerCase();
    const mayHave = ({ incompleteSuffix }: ClaimingTorrent): boolean =>
      incompleteSuffix !== undefined && name.endsWith(incompleteSuffix.toLowerCase());
    return this.#isRecordedBy(torrent, mayHave, inode);
  }

  /** Whether one of such torrents around it has recorded the file. */
  #isRecordedBy(torrent: ClaimingTorrent, which: (other: ClaimingTorrent) => boolean, inode: number): boolean {
    const { places, inodes } = this.deps;
    return inodes.isAnyOf([...places.neighbours(torrent)].filter(which), inode);
  }
}
