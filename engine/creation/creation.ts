// A torrent that is made of files of this machine, from when it is asked for until it is forgotten. Owns: each file is hashed
// as it was listed (by inode, size and time), and was so still at the end; else there is no torrent. Takes its turn among all
// that hash, behind what is verified of torrents.
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { setImmediate as pause } from 'node:timers/promises';
import type { CreateParams, CreationStatus } from '../../shared-protocol/commands/creations.js';
import type { CreationState } from '../../shared-protocol/creation-state.js';
import { AppError, toErrorRecord, type ErrorRecord } from '../../shared-protocol/errors.js';
import { infoHashFromBytes, type AccountId, type TorrentId } from '../../shared-protocol/ids.js';
import type { ReadRight } from '../claims/index.js';
import type { Disk, FileState, FoundFile, ListedTree, TorrentStorage } from '../disk/index.js';
import { PIECE_HASH_BYTES, writeInfoDictionary, writeTorrentFile, type TorrentInfo } from '../metainfo/index.js';
import type { Clock } from '../environment.js';
import { PieceWindows, type PieceWindowsMeans } from '../torrent/check/piece-windows.js';
import type { CheckedTorrent, HashingTurn } from '../torrent/session-interface.js';
import { readMade, refuseOtherNames, refuseTooManyPieces } from './check-made.js';
import { LIST_BOUNDS } from './constants.js';
import { layOut, type LaidOut } from './lay-out.js';
import { pieceLengthFor } from './piece-length.js';

export interface CreationDeps extends PieceWindowsMeans {
  readonly disk: Pick<Disk, 'trees' | 'openTorrent'>;
  readonly clock: Pick<Clock, 'nowMs' | 'unixMs'>;
  /** Returns what the account may have read at the moment; null: nothing. */
  readonly readRight: () => ReadRight | null;
}

/** The files as they are laid out, to be hashed. */
interface Plan extends LaidOut {
  /** Without pad files. */
  readonly fileCount: number;
  readonly info: TorrentInfo;
  readonly storage: TorrentStorage;
}

/** The whole of it, with what is needed to seed it from where it lies. */
interface Made {
  readonly id: TorrentId;
  readonly torrentBytes: Uint8Array;
  readonly plan: Plan;
}

export class Creation implements CheckedTorrent {
  #state: CreationState = 'waiting';
  #error: ErrorRecord | null = null;
  #plan: Plan | null = null;
  #made: Made | null = null;
  #hashing: PieceWindows | null = null;
  #bytesDone = 0;
  #isStopped = false;
  #ended: () => void = () => undefined;
  /** Resolves once it is done or has failed. */
  readonly ended = new Promise<void>((resolve) => (this.#ended = resolve));

  constructor(
    private readonly deps: CreationDeps,
    readonly params: CreateParams,
    readonly device: number,
  ) {}

  get ownerId(): AccountId {
    return this.params.accountId;
  }

  /** A real path. */
  get savePath(): string {
    return dirname(this.params.path);
  }

  get status(): CreationStatus {
    const plan = this.#plan;
    return {
      state: this.#state,
      bytesDone: this.#bytesDone,
      bytesTotal: plan?.totalBytes ?? 0,
      files: plan?.fileCount ?? 0,
      pieceLength: plan?.info.pieceLength ?? 0,
      id: this.#made?.id ?? null,
      error: this.#error,
    };
  }

  /** @throws AppError `CREATION_NOT_DONE` */
  get torrentBytes(): Uint8Array {
    return this.#whole().torrentBytes;
  }

  /** Nothing is hashed any more, soon. */
  stop(): void {
    this.#isStopped = true;
    this.#hashing?.stop();
    this.#end('failed');
  }

  runCheck(turn: HashingTurn): Promise<void> {
    return this.runAudit(turn);
  }

  async runAudit(turn: HashingTurn): Promise<void> {
    if (this.#isStopped) return;
    try {
      this.#state = 'listing';
      const tree = await this.#list();
      const plan = (this.#plan = await this.#planFor(tree));
      this.#state = 'hashing';
      try {
        this.#made = await this.#make(plan, tree, turn);
      } finally {
        await plan.storage.close();
      }
      this.#end('done');
    } catch (error) {
      this.#error = toErrorRecord(isMissing(error) ? changed(error.message) : error);
      this.#end('failed');
    }
  }

  /** States of the files as they were hashed, for the torrent with this id. @throws AppError `FILES_CHANGED`, `CREATION_NOT_DONE` */
  async trusted(id: TorrentId): Promise<readonly FileState[]> {
    const made = this.#whole();
    if (made.id !== id) throw new AppError('BUG', `bug: ${id} was not made by this creation`);
    try {
      return await assertUnchanged(made.plan);
    } finally {
      await made.plan.storage.close();
    }
  }

  #whole(): Made {
    if (!this.#made) throw new AppError('CREATION_NOT_DONE', 'creation: it is not done');
    return this.#made;
  }

  #end(state: 'done' | 'failed'): void {
    if (this.#state === 'done' || this.#state === 'failed') return;
    this.#state = this.#isStopped ? 'failed' : state;
    this.#ended();
  }

  async #list(): Promise<ListedTree> {
    const right = this.deps.readRight();
    if (!right) throw notAllowed('holds files of others');
    const tree = await this.deps.disk.trees.list(this.params.path, {
      ...LIST_BOUNDS,
      isStopped: () => this.#isStopped,
    });
    const foreign = tree.files.find((file) => !right.admits(file));
    if (foreign) {
      const why = foreign.linkCount > 1 ? 'has other names as well, and may be of others' : 'is of others';
      throw notAllowed(`${foreign.path.join('/')} ${why}`);
    }
    return tree;
  }

  /**
   * With tens of thousands of files each step takes a tenth of a second: everything else has its turn between them.
   * @throws AppError `CREATE_REFUSED` for what could not be read again
   */
  async #planFor(tree: ListedTree): Promise<Plan> {
    const { params, deps } = this;
    const bytes = tree.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    const pieceLength = params.pieceLength ?? pieceLengthFor(bytes);
    const laidOut = layOut(tree.files, params.padFiles && tree.isFolder ? pieceLength : null);
    const pieceCount = Math.ceil(laidOut.totalBytes / pieceLength);
    refuseTooManyPieces(pieceCount);
    await pause();
    const nothing = this.#infoBytes(laidOut, tree, pieceLength, new Uint8Array(pieceCount * PIECE_HASH_BYTES));
    await pause();
    const read = readMade(nothing);
    await pause();
    if (params.isToSeed) refuseOtherNames(laidOut.files, read);
    const info = { ...read, files: laidOut.files };
    const storage = deps.disk.openTorrent({
      info,
      savePath: this.savePath,
      priorities: laidOut.files.map(() => 'normal'),
      ownership: asListed(laidOut),
    });
    return { ...laidOut, fileCount: tree.files.length, info, storage };
  }

  #infoBytes({ files }: LaidOut, { isFolder }: ListedTree, pieceLength: number, pieces: Uint8Array): Uint8Array {
    const { isPrivate, source } = this.params;
    const name = files[0]?.path[0] ?? '';
    return writeInfoDictionary({ name, isSingleFile: !isFolder, files, pieceLength, pieces, isPrivate, source });
  }

  async #make(plan: Plan, tree: ListedTree, turn: HashingTurn): Promise<Made> {
    const { trackers, webSeeds, comment, createdBy, isToSeed } = this.params;
    const pieces = await this.#hash(plan, turn);
    // What counts as verified is on stable storage first, here as everywhere.
    if (isToSeed) await plan.storage.sync();
    await assertUnchanged(plan);
    const infoBytes = this.#infoBytes(plan, tree, plan.info.pieceLength, pieces);
    const createdAt = Math.floor(this.deps.clock.unixMs() / 1000);
    const around = { trackers, webSeeds, httpSeeds: [], comment, createdBy, createdAt };
    const id = infoHashFromBytes(createHash('sha1').update(infoBytes).digest());
    return { id, torrentBytes: writeTorrentFile({ infoBytes, ...around }), plan };
  }

  async #hash(plan: Plan, turn: HashingTurn): Promise<Uint8Array> {
    const { info, storage } = plan;
    const { hasher, clock, checkThrottle } = this.deps;
    const pieces = new Uint8Array(info.pieceCount * PIECE_HASH_BYTES);
    let isShort = false;
    const onDigest = (piece: number, digest: Uint8Array | null): void => {
      if (digest) pieces.set(digest, piece * PIECE_HASH_BYTES);
      // All else would be hashed for nothing.
      else hashing.stop();
      isShort ||= digest === null;
      this.#bytesDone += Math.min(info.pieceLength, info.totalBytes - piece * info.pieceLength);
    };
    const hashing = new PieceWindows({ info, storage, hasher, clock, checkThrottle, onDigest });
    this.#hashing = hashing;
    if (this.#isStopped) hashing.stop();
    const isWhole = await hashing.run(turn);
    this.#hashing = null;
    if (this.#isStopped) throw new AppError('CREATE_REFUSED', 'path: no longer asked for');
    if (isShort || !isWhole) {
      await assertUnchanged(plan);
      throw changed('not all of it could be read');
    }
    return pieces;
  }
}

/** By inode, so that nothing which takes a listed name meanwhile is read in place of it. */
function asListed({ listed }: LaidOut) {
  const isListed = (index: number, { inode, birthMs }: FoundFile): boolean =>
    listed[index]?.inode === inode && listed[index].birthMs === birthMs;
  return {
    admits: isListed,
    isRecorded: isListed,
    admitsIncomplete: () => false,
    mayDeleteIncomplete: () => false,
    beforeMaking: () => Promise.reject(new AppError('BUG', 'bug: nothing is made where a torrent is created')),
    onMade: () => Promise.reject(new AppError('BUG', 'bug: nothing is made where a torrent is created')),
    mayDelete: () => false,
  };
}

/** The states of the files as they were listed, and are. @throws AppError `FILES_CHANGED` */
async function assertUnchanged({ files, listed, storage }: Plan): Promise<readonly FileState[]> {
  const states = await storage.fileStates();
  for (const { index, path } of files) {
    const before = listed[index];
    const now = states[index];
    if (!before || (now?.sizeBytes === before.sizeBytes && now.mtimeMs === before.mtimeMs)) continue;
    throw changed(`${path.join('/')} has changed meanwhile`);
  }
  return listed.map((file) => (file ? { ...file } : { sizeBytes: null, mtimeMs: 0 }));
}

/** A file that was listed went away while it was read. */
function isMissing(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'FILES_MISSING';
}

function changed(what: string): AppError {
  return new AppError('FILES_CHANGED', `path: ${what}`);
}

function notAllowed(why: string): AppError {
  return new AppError('CREATE_NOT_ALLOWED', `path: ${why}`);
}
