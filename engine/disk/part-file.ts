// The bytes of skipped files that pieces shared with wanted files bring along: one sparse file per torrent, where
// the byte at a torrent offset lies at that same position. Behind the torrent's last byte follow two bit sets, which
// pieces have bytes here and which files live here, so that a restart knows without reading terabytes of holes.
// A bit is set before the bytes it speaks for are written, and cleared after they are safe elsewhere.
import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { TorrentInfo } from '../metainfo/types.js';
import { BitSet } from './bit-set.js';
import { errnoOf, isAbsent } from './errors.js';
import type { FileLayout } from './file-layout.js';
import { FileSlot, type FilePool, type OpenFile, type OpenMode, type Use } from './file-pool.js';
import { FolderTree } from './open-beneath.js';
import type { PartFolder } from './part-folder.js';
import { syncDescriptor } from './sync-descriptor.js';
import { readInto, totalLength, writeAll } from './transfer.js';

export interface PartFileDeps {
  readonly pool: FilePool;
  readonly layout: FileLayout;
  /** Where all part files lie. */
  readonly parts: PartFolder;
}

interface Marks {
  readonly pieces: BitSet;
  readonly files: BitSet;
}

export class PartFile {
  readonly path: readonly string[];
  /** The folder as this torrent alone sees it: what it created is synced by its own sync(). */
  readonly folder: FolderTree;
  readonly #deps: PartFileDeps;
  readonly #info: TorrentInfo;
  readonly #name: string;
  readonly #slot: FileSlot;
  /** null: there is no part file. */
  #marks: Marks | null = null;
  #isDirty = false;
  /** A sync that failed, and that `sync` has not told of; undefined: none. */
  #failure: unknown;
  /** Marks are few and small: one write at a time keeps each byte's newest value on disk. */
  #marking: Promise<void> = Promise.resolve();

  constructor(deps: PartFileDeps, info: TorrentInfo) {
    this.#deps = deps;
    this.#info = info;
    this.#name = `${info.infoHash}.parts`;
    this.path = [this.#name];
    this.folder = new FolderTree(deps.parts.path, { folderMode: 0o700 });
    this.#slot = new FileSlot((mode) => this.folder.open(this.path, mode));
  }

  get isDirty(): boolean {
    return this.#isDirty;
  }

  /** Reads the marks of an earlier run. */
  async load(): Promise<void> {
    if (this.#marks || !(await this.#deps.parts.mayHave(this.#name))) return;
    const marks = this.#newMarks();
    try {
      const views = [marks.pieces.bytes, marks.files.bytes];
      await this.#use('read', (file, done) => readInto(file.fd, views, totalLength(views), this.#marksAt(), done));
      this.#marks = marks;
    } catch (error) {
      // Absent, or so short that no mark was ever written: nothing lives here.
      if (!isAbsent(error) && errnoOf(error) !== 'SHORT_READ') throw error;
    }
  }

  holdsFile(index: number): boolean {
    return this.#marks?.files.has(index) ?? false;
  }

  holdsPiece(piece: number): boolean {
    return this.#marks?.pieces.has(piece) ?? false;
  }

  /** Whether every piece of the range has bytes here. */
  holdsRange(offset: number, length: number): boolean {
    const { first, last } = this.#deps.layout.piecesOf(offset, length);
    for (let piece = first; piece <= last; piece++) if (!this.holdsPiece(piece)) return false;
    return true;
  }

  read(offset: number, views: readonly Uint8Array[]): Promise<void> {
    return this.#use('read', (file, done) => readInto(file.fd, views, totalLength(views), offset, done));
  }

  /** Bytes of one file, at their torrent offset. */
  async write(fileIndex: number, offset: number, bytes: Uint8Array): Promise<void> {
    if (!this.holdsFile(fileIndex) || !this.holdsRange(offset, bytes.byteLength)) {
      const { first, last } = this.#deps.layout.piecesOf(offset, bytes.byteLength);
      await this.#mark((marks) => {
        marks.files.set(fileIndex, true);
        for (let piece = first; piece <= last; piece++) marks.pieces.set(piece, true);
      });
    }
    await this.#use('write', (file, done) => writeAll(file.fd, bytes, offset, done));
    this.#isDirty = true;
  }

  /** The file's bytes are elsewhere now, and durable there; the part file goes with its last file. */
  async forgetFile(fileIndex: number): Promise<void> {
    if (!this.holdsFile(fileIndex)) return;
    await this.#mark((marks) => marks.files.set(fileIndex, false));
    if (!this.#marks?.files.isEmpty()) return;
    // Should the removal not survive a crash, the cleared marks must.
    await this.#syncDirty();
    await this.remove();
  }

  pin(use: Use): Promise<OpenFile> {
    // An earlier run may have ended before it was synced.
    this.#isDirty = true;
    this.folder.distrust(this.path);
    return this.#deps.pool.acquire(this.#slot, 'read', use);
  }

  /** Fails as well where another sync of it has failed since the last call: the kernel tells of it once. */
  async sync(): Promise<void> {
    await this.#syncDirty().catch(() => undefined);
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }

  close(): Promise<void> {
    return this.#deps.pool.forget(this.#slot);
  }

  async remove(): Promise<void> {
    await this.close();
    this.#marks = null;
    this.#isDirty = false;
    this.#failure = undefined;
    if (!(await this.#deps.parts.mayHave(this.#name))) return;
    try {
      await unlink(join(await this.folder.folder([]), ...this.path));
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
    await this.#deps.parts.onRemoved(this.#name);
  }

  async #syncDirty(): Promise<void> {
    if (!this.#isDirty) return;
    this.#isDirty = false;
    try {
      await this.#use('read', (file, done) => void syncDescriptor(file.fd).then(() => done(null), done));
    } catch (error) {
      this.#isDirty = true;
      this.#failure ??= error;
      throw error;
    }
  }

  /** Marks count only once they are written. */
  #mark(change: (marks: Marks) => void): Promise<void> {
    const marking = this.#marking.then(async () => {
      const marks = this.#newMarks();
      if (this.#marks) {
        marks.pieces.bytes.set(this.#marks.pieces.bytes);
        marks.files.bytes.set(this.#marks.files.bytes);
      }
      change(marks);
      await this.#deps.parts.onMade(this.#name);
      const bytes = Buffer.concat([marks.pieces.bytes, marks.files.bytes]);
      await this.#use('write', (file, done) => writeAll(file.fd, bytes, this.#marksAt(), done));
      this.#marks = marks;
      this.#isDirty = true;
    });
    this.#marking = marking.catch(() => undefined);
    return marking;
  }

  async #use(mode: OpenMode, transfer: (file: OpenFile, done: (error: Error | null) => void) => void): Promise<void> {
    const file = await this.#deps.pool.acquire(this.#slot, mode);
    try {
      await new Promise<void>((resolve, reject) => {
        transfer(file, (error) => (error ? reject(error) : resolve()));
      });
    } finally {
      this.#deps.pool.release(file);
    }
  }

  #newMarks(): Marks {
    return { pieces: new BitSet(this.#info.pieceCount), files: new BitSet(this.#info.files.length) };
  }

  #marksAt(): number {
    return this.#info.totalBytes;
  }
}
