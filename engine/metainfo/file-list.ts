// The files of a torrent in order, on paths of which no two are the same place on disk (docs/limits.md 2.6).
// Deterministic: the same info dictionary gives the same paths at every start, so renames need not be stored.
import { AppError } from '../../shared-protocol/errors.js';
import type { NameRules } from '../../shared-protocol/name-rules.js';
import { because } from '../../shared-protocol/reasons.js';
import { MAX_DUPLICATE_PATHS } from './constants.js';
import { PathPrinter, PrintSet, type Fold } from './path-prints.js';
import { numberedElement } from './safe-path.js';
import type { TorrentFile } from './types.js';

/** A file as the info dictionary lists it, not yet in its place: paths may still be given to several. */
export interface ListedFile extends TorrentFile {
  /** Room for the torrent's own folder first, then elements that are safe already. */
  path: string[];
  rawPath?: readonly string[];
}

/**
 * Puts the files below their folder, and renames those whose path is taken or is a folder of others. Pad files are
 * never on disk, so theirs may repeat; most clients give them all the same ones. Paths that differ only in case collide, as some
 * file systems take them for one and libtorrent does everywhere, but not in torrents of before that was so.
 * @param folder the torrent's own, safe already
 * @param files changed in place: half a million of them are not copied
 * @throws AppError `TORRENT_INVALID` when more than 500 files share paths
 */
export function placeFiles(folder: string, files: readonly ListedFile[], names: NameRules): void {
  const paths = new DistinctPaths(files, names);
  if (paths.haveCollisions) for (const file of files) if (!file.isPad) claim(paths, file);
  for (const file of files) file.path[0] = folder;
}

function claim(paths: DistinctPaths, file: ListedFile): void {
  const name = paths.claim(file.path);
  if (name === file.path.at(-1)) return;
  file.rawPath ??= file.path.slice(1);
  file.path[file.path.length - 1] = name;
}

/** No path is given to two files, nor to a file and a folder: the file gives way. */
class DistinctPaths {
  readonly haveCollisions: boolean;
  readonly #files: readonly ListedFile[];
  readonly #names: NameRules;
  readonly #fold: Fold;
  readonly #printer: PathPrinter;
  /** Every path as listed; a new name must not take what a later file is called. */
  readonly #listed: PrintSet;
  /** Listed paths that are folders of other files. */
  readonly #blocked = new PrintSet(0);
  readonly #taken = new PrintSet(0);
  /** Every folder, made for the first rename: new names may have to be tried a quarter of a million times. */
  #folders: PrintSet | null = null;
  /** By path: the numbers below are taken, and stay so. */
  readonly #nextNumber = new Map<string, number>();
  #renamed = 0;

  constructor(files: readonly ListedFile[], names: NameRules) {
    this.#files = files;
    this.#names = names;
    this.#fold = names === 'windows' ? foldNormal : foldCase;
    this.#printer = new PathPrinter(this.#fold);
    this.#listed = new PrintSet(files.length);
    let repeats = 0;
    for (const { isPad, path } of files) {
      if (isPad) continue;
      this.#printer.read(path, 1);
      if (!this.#listed.add(this.#printer.low, this.#printer.high)) repeats++;
    }
    this.#forEachFolder((low, high) => this.#listed.has(low, high) && this.#blocked.add(low, high));
    this.haveCollisions = repeats > 0 || this.#blocked.size > 0;
  }

  /** The name that the file may have in its folder: its own where it can be. */
  claim(path: readonly string[]): string {
    const printer = this.#printer;
    const folders = printer.read(path, 1);
    const own = path[path.length - 1]!;
    if (!this.#blocked.has(printer.low, printer.high) && this.#taken.add(printer.low, printer.high)) return own;
    if (++this.#renamed <= MAX_DUPLICATE_PATHS) {
      const key = `${printer.low} ${printer.high}`;
      for (let number = this.#nextNumber.get(key) ?? 1; number <= MAX_DUPLICATE_PATHS; number++) {
        const name = numberedElement(own, number, this.#names);
        printer.readSibling(folders, name);
        if (!this.#isFree()) continue;
        this.#taken.add(printer.low, printer.high);
        this.#nextNumber.set(key, number + 1);
        return name;
      }
    }
    const shown = JSON.stringify(path.slice(1).join('/').slice(0, 200));
    const said = `info.files: more than ${MAX_DUPLICATE_PATHS} duplicate paths, at ${shown}`;
    throw new AppError('TORRENT_INVALID', said, because('TORRENT_INVALID', { detail: said }));
  }

  #isFree(): boolean {
    const { low, high } = this.#printer;
    if (this.#taken.has(low, high) || this.#listed.has(low, high)) return false;
    return !(this.#folders ??= this.#allFolders()).has(low, high);
  }

  #allFolders(): PrintSet {
    const folders = new PrintSet(0);
    this.#forEachFolder((low, high) => folders.add(low, high));
    return folders;
  }

  /** Each folder above a file at least once, the same ones in a row only once. */
  #forEachFolder(visit: (low: number, high: number) => void): void {
    const printer = new PathPrinter(this.#fold);
    const { prefixes } = printer;
    let previous: readonly string[] = [''];
    for (const { isPad, path } of this.#files) {
      if (isPad) continue;
      if (path.length > 2 && !isSameFolder(path, previous)) {
        const folders = printer.read(path, 1);
        for (let i = 0; i < folders; i++) visit(prefixes[2 * i]!, prefixes[2 * i + 1]!);
      }
      previous = path;
    }
  }
}

function isSameFolder(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let i = one.length - 2; i > 0; i--) if (one[i] !== other[i]) return false;
  return true;
}

/** Composed and decomposed letters are one: file systems disagree about them (docs/limits.md 2.1). */
function foldNormal(element: string): string {
  for (let i = 0; i < element.length; i++) {
    const unit = element.charCodeAt(i);
    // What lies below U+0300, ideographs and Hangul never change; asking ICU half a million times takes its time.
    const isStable = unit < 0x300 || (unit >= 0x3400 && unit <= 0x9fff) || (unit >= 0xac00 && unit <= 0xd7a3);
    if (!isStable) return element.normalize('NFC');
  }
  return element;
}

/** The text by which the least careful file system compares names: without case. */
export function foldCase(element: string): string {
  if (isAscii(element)) return element.toLowerCase();
  return element.normalize('NFC').toUpperCase().toLowerCase();
}

function isAscii(element: string): boolean {
  for (let i = 0; i < element.length; i++) if (element.charCodeAt(i) >= 0x80) return false;
  return true;
}
