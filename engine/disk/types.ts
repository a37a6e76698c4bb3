// A torrent's bytes on disk. Offsets are those of the torrent as a whole: all files behind one another.
import type { Preallocation } from '../../shared-protocol/preallocation.js';
import type { PieceSpan } from '../hashing/types.js';
import type { TorrentFile, TorrentInfo } from '../metainfo/types.js';
import type { SavePaths } from './save-paths.js';

/** How much a file is wanted, for the picker and the disk. */
export type FilePriority = 'skip' | 'normal' | 'high' | 'max';

export interface FileState {
  /** null: absent. */
  readonly sizeBytes: number | null;
  readonly mtimeMs: number;
  /** When its data or attributes changed last: unlike the mtime no program can set it back. */
  readonly ctimeMs?: number;
  /** The file has the name of an incomplete one. Absent: its own. */
  readonly isIncomplete?: true;
}

/** Descriptors that stay open until `release`. */
export interface PinnedSpans {
  /** One list of spans for each piece asked for. */
  readonly pieces: readonly (readonly PieceSpan[])[];
  release(): void;
}

/** A regular file, as it was found or made. */
export interface FoundFile {
  readonly inode: number;
  /** Unix milliseconds; 0 where the file system does not keep it. */
  readonly birthMs: number;
  readonly sizeBytes: number;
}

/** Which files at a torrent's paths are its own; by file index. What is not is as good as absent. */
export interface FileOwnership {
  /** Whether it is the torrent's, or becomes so. */
  admits(index: number, found: FoundFile): boolean;
  /** Called when the file does not exist and is about to be made, once this resolves. */
  beforeMaking(index: number): Promise<void>;
  /** Called when the file has been made; it is written to once this resolves. */
  onMade(index: number, made: FoundFile): Promise<void>;
  mayDelete(index: number, found: FoundFile): boolean;
  /** Whether this very file is recorded as the torrent's. */
  isRecorded(index: number, found: FoundFile): boolean;
  /** Asked of what has the name of the file while it is incomplete: whether it is the torrent's, or becomes so. */
  admitsIncomplete(index: number, found: FoundFile): boolean;
  /** The same, where nothing is to become so. */
  mayDeleteIncomplete(index: number, found: FoundFile): boolean;
}

/** Came of giving files other names. */
export interface SwitchedNames {
  /** How many have another one now. */
  readonly switched: number;
  /** The first of those whose own name something else has; null: there is none. */
  readonly taken: readonly string[] | null;
}

export interface SeenPath {
  readonly inode: number;
  /** -1: no regular file. */
  readonly sizeBytes: number;
}

/** Looks at what paths lead to, before anything is opened. */
export interface PathLooks {
  /** Real location of a folder that may be absent: links of what exists are resolved. @throws AppError `DISK_FAILED` */
  realPath(path: string): Promise<string>;
  /** The thing itself, links not followed; null: nothing. Inode 0: there is something, and no more is known. */
  at(path: string): Promise<SeenPath | null>;
}

/** Whether another torrent has a file of this path below the same save path, so that it must stay. */
export type KeepFile = (path: readonly string[]) => boolean;

export interface TorrentStorage {
  /** Bytes of a torrent range; creates sparse files and directories as needed. Pad bytes are not written. */
  write(offset: number, bytes: Uint8Array): Promise<void>;
  /** Fills the views one after another from a contiguous range. `FILES_MISSING` when a file is absent or short. */
  read(offset: number, views: readonly Uint8Array[]): Promise<void>;
  /** Opens what pieces `first` to `first + count - 1` lie in, for the hashing threads. Creates nothing. */
  pinSpans(firstPiece: number, count: number): Promise<PinnedSpans>;
  /** Creates the zero-length files that are wanted; everything else appears with its first byte. */
  createEmptyFiles(): Promise<void>;
  /**
   * fdatasync of every file written since the last call. A piece counts as durable only after this. After a failure
   * the kernel may have dropped what was written since the last success: check it again. Fails as well for the sync of a
   * file that has failed since the last call.
   */
  sync(): Promise<void>;
  /** Size and mtime of each file, in file order. */
  fileStates(): Promise<FileState[]>;
  /**
   * One per file. Bytes of a file that becomes wanted move from the part file into it; should that fail (`DISK_FULL`),
   * the priorities hold all the same, the bytes stay usable, and the next call or start moves them.
   */
  setPriorities(priorities: readonly FilePriority[]): Promise<void>;
  /**
   * Gives these files, by index, their own names, as far as they lie under those of incomplete ones, once they are durable.
   * Where something has that name already both stay as they are. Goes through all before it throws.
   */
  giveOwnNames(indexes: readonly number[]): Promise<SwitchedNames>;
  /** Gives these files, by index, the names of incomplete ones, where nothing has them. */
  giveIncompleteNames(indexes: readonly number[]): Promise<SwitchedNames>;
  /** Lets go of descriptors; later calls open them again. */
  close(): Promise<void>;
  /**
   * From here on the files lie below another save path, or on other paths below it, where they have been brought. Nothing is
   * opened while `settle` makes that durable; it resolves with which of the files there are the torrent's.
   */
  moveTo(place: StoragePlace, settle: () => Promise<FileOwnership>): Promise<void>;
  /**
   * Unlinks this torrent's own files and part file, then empty folders up to, not including, the save path. Whatever is
   * asked of the storage afterwards fails with `FILES_MISSING`.
   */
  deleteFiles(keep?: KeepFile): Promise<void>;
}

export interface StoragePlace {
  /** With its paths as they are on disk. */
  readonly info: TorrentInfo;
  readonly savePath: string;
}

export interface TorrentStorageParams extends StoragePlace {
  readonly priorities: readonly FilePriority[];
  /** @default all that lies at its paths is its own */
  readonly ownership?: FileOwnership;
  /** Room that files are given when they are made. @default none */
  readonly preallocation?: Preallocation;
  /** The suffix that names have while files are incomplete. @default none */
  readonly incompleteSuffix?: string | undefined;
}

/** A torrent whose write was refused. */
export interface DiskWaiter {
  readonly savePath: string;
  /** Bytes that it has still to write. */
  missingBytes(): number;
  /** Called when another write is worth a try. Never rejects. */
  onDiskBack(): Promise<void>;
}

/**
 * The volumes that refuse writes, and who waits for them (docs/limits.md 2.29). Times are the engine's monotonic clock.
 */
export interface DiskTrouble {
  /** Until it is told, or `leave`. `error`: what the write was refused with. */
  wait(waiter: DiskWaiter, error: unknown, nowMs: number): void;
  leave(waiter: DiskWaiter): void;
  /** Once a second: looks whether writes are taken again, where that is due. */
  tick(nowMs: number): void;
}

/** Ownership at the other place of a torrent that is being moved; by file index. */
export interface OwnershipElsewhere extends FileOwnership {
  /** One more name of the file at the present place has been made. */
  onLinked(index: number, linked: FoundFile): Promise<void>;
}

export interface RelocationParams {
  /** With its paths at the old place. */
  readonly info: TorrentInfo;
  /** With its paths at the new one. @default the same */
  readonly infoThere?: TorrentInfo;
  readonly from: string;
  readonly to: string;
  /** Files keep the name that they have, complete or not. @default all have their own */
  readonly incompleteSuffix?: string | undefined;
  /** Ownership at the old place. Absent where files are only removed. */
  readonly ownership?: FileOwnership;
  readonly elsewhere: OwnershipElsewhere;
}

/** Followed while files are brought. */
export interface Bringing {
  /** Asked between two pieces of work: then `bring` rejects with `MOVE_CONFLICT`. */
  isStopped(): boolean;
  onBytes(count: number): void;
  /** All bytes of the torrent before `offset`, as far as there are any, lie at the new place. */
  onCopied(file: TorrentFile, offset: number): Promise<void>;
}

export interface FoundToMove {
  /** Bytes of those that do not stay. */
  readonly bytes: number;
  /** Indices of files in the torrent. */
  readonly files: ReadonlySet<number>;
}

/** Files as they lie at both places; null where the torrent has none, and before where it stays. */
export interface Brought {
  readonly before: readonly (FoundFile | null)[];
  readonly after: readonly (FoundFile | null)[];
  readonly states: readonly FileState[];
  /** Indices of files that lie where they lay: nothing was found out about their states. */
  readonly staying: ReadonlySet<number>;
}

/** A torrent's files on their way from one save path to another, or to other paths below it (docs/decisions/0026-moves-keep-a-journal.md). */
export interface Relocation {
  /** Whether the file lies where it is to lie. */
  stays(index: number): boolean;
  /** The files that there are. @throws AppError `MOVE_TARGET_TAKEN` names the first file whose path is taken */
  look(): Promise<FoundToMove>;
  /**
   * Each file by one more name, or where that cannot be by a copy; none is written over.
   * @throws AppError `MOVE_TARGET_TAKEN`, `DISK_FULL`, `DISK_FAILED`, `FILES_MISSING`
   */
  bring(bringing: Bringing): Promise<void>;
  /** Makes durable what was brought, and finds it as large as it was. */
  seal(): Promise<Brought>;
  /** Removes at the new place what was made there, and nothing else. */
  undo(): Promise<void>;
  /** After the switch: removes at the old place what lies whole at the new one, but for what others have there. */
  clean(keep: KeepFile): Promise<void>;
}

/** A file as it was listed. */
export interface ListedFile extends FoundFile {
  /** The name of what was listed first, then elements below it. */
  readonly path: readonly string[];
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** Names that the file has, here or elsewhere. */
  readonly linkCount: number;
}

export interface ListedTree {
  readonly isFolder: boolean;
  /** The device's number. */
  readonly device: number;
  /** In no order. */
  readonly files: readonly ListedFile[];
}

export interface ListBounds {
  /** Files and folders. */
  readonly maxEntries: number;
  /** Names of all of them together. */
  readonly maxNameBytes: number;
  readonly maxElementBytes: number;
  readonly maxDepth: number;
  isStopped(): boolean;
}

/** Files and folders that are no torrent's yet. `path`: absolute; no link of it is followed. */
export interface FileTrees {
  /** @throws AppError `CREATE_REFUSED` where it is no file and no folder */
  look(path: string): Promise<Pick<ListedTree, 'isFolder' | 'device'>>;
  /** @throws AppError `CREATE_REFUSED` that names what cannot be in a torrent */
  list(path: string, bounds: ListBounds): Promise<ListedTree>;
}

export interface Disk {
  readonly savePaths: SavePaths;
  readonly trouble: DiskTrouble;
  readonly looks: PathLooks;
  readonly trees: FileTrees;
  openTorrent(params: TorrentStorageParams): TorrentStorage;
  relocation(params: RelocationParams): Relocation;
  /** Closes every descriptor that is not in use; the others follow when they are released. */
  close(): Promise<void>;
}
