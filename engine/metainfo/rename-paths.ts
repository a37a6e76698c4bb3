// What the paths of a torrent's files are after one of them, or a folder, has been given another path. Pure. A new path is
// judged as the metainfo's are: by the names that the torrent was added with, and no two that a file system could take for the same.
import { AppError } from '../../shared-protocol/errors.js';
import type { NameRules } from '../../shared-protocol/name-rules.js';
import { because } from '../../shared-protocol/reasons.js';
import { MAX_PATH_ELEMENTS } from './constants.js';
import { areTooManyTopNames, laidOut, MAX_TOP_NAMES, topNamesOf, type DiskPaths } from './disk-paths.js';
import { foldCase } from './file-list.js';
import { bothNames } from './incomplete-names.js';
import { PathPrinter, PrintSet } from './path-prints.js';
import { safeElement } from './safe-path.js';
import type { TorrentFile, TorrentInfo } from './types.js';

/** Longest path below the save path. Linux takes 4,096 with the save path. */
const MAX_PATH_BYTES = 2_048;

/** Paths that are to be stored, and the torrent as it lies by them. */
export interface RenamedPaths extends DiskPaths {
  readonly own: ReadonlyMap<number, readonly string[]>;
  readonly topNames: readonly string[];
  readonly info: TorrentInfo;
}

/**
 * `listed`: as the metainfo has it; `from`, `to`: below the save path, elements joined with `/`; `suffix`: of incomplete
 * files, whose names with it are taken as well. null: they are the same.
 * @throws AppError `FILE_NOT_FOUND`, `RENAME_INVALID`, `MOVE_TARGET_TAKEN` where another of its files has the path
 */
export function renamedPaths(
  listed: TorrentInfo,
  now: DiskPaths,
  { from, to }: { readonly from: string; readonly to: string },
  suffix?: string,
): RenamedPaths | null {
  const present = laidOut(listed, now);
  const [old, wanted] = [from.split('/'), to.split('/')];
  const changed = new Map<number, readonly string[]>();
  for (const { index, path, isPad } of present.files) {
    if (!isPad && isAtOrIn(path, old)) changed.set(index, [...wanted, ...path.slice(old.length)]);
  }
  if (changed.size === 0) throw new AppError('FILE_NOT_FOUND', 'from: no such file or folder', { path: from });
  if (from === to) return null;
  for (const element of wanted) assertName(element, listed.names);
  for (const path of changed.values()) assertLength(path);
  assertDistinct(present.files, changed, suffix);
  if (suffix !== undefined) assertApart(present.files, changed, suffix);
  const paths = present.files.map(({ index, path }) => changed.get(index) ?? path);
  const topNames = topNamesOf({ files: present.files }, paths);
  if (areTooManyTopNames(topNames)) {
    throw invalid(`the torrent has more than ${MAX_TOP_NAMES} files and folders at its top`);
  }
  // Another folder is better for all only where most of them come there.
  const areMost = 2 * changed.size > paths.length;
  const { folder, own } = fewestOwn(listed, areMost ? [now.folder, wanted[0]] : [now.folder], paths);
  return { folder, own, topNames, info: laidOut(listed, { folder, own }) };
}

function isAtOrIn(path: readonly string[], folder: readonly string[]): boolean {
  return path.length >= folder.length && folder.every((element, depth) => path[depth] === element);
}

function assertName(element: string, rules?: NameRules): void {
  const safe = safeElement(element, rules);
  if (safe === element) return;
  const shown = JSON.stringify(element.slice(0, 100));
  const where = rules === 'posix' ? 'that a file can have' : 'on every system';
  throw invalid(
    element === '' ? 'has an empty name in it' : `${shown} is no name ${where}, ${JSON.stringify(safe)} is`,
  );
}

function assertLength(path: readonly string[]): void {
  if (path.length > MAX_PATH_ELEMENTS + 1) throw invalid(`more than ${MAX_PATH_ELEMENTS} folders in one another`);
  if (Buffer.byteLength(path.join('/')) > MAX_PATH_BYTES) throw invalid(`longer than ${MAX_PATH_BYTES} bytes`);
}

/** Files that keep their paths are not in the way; those that change theirs had different ones before. */
function assertDistinct(
  files: readonly TorrentFile[],
  changed: ReadonlyMap<number, readonly string[]>,
  suffix: string | undefined,
): void {
  const printer = new PathPrinter(foldCase);
  const [staying, folders] = [new PrintSet(files.length), new PrintSet(0)];
  for (const { index, path, isPad } of files) {
    if (isPad || changed.has(index)) continue;
    for (const name of bothPaths(path, suffix)) {
      forEachFolder(printer, name, (low, high) => void folders.add(low, high));
      staying.add(printer.low, printer.high);
    }
  }
  for (const path of changed.values()) {
    let isTaken = false;
    for (const name of bothPaths(path, suffix)) {
      forEachFolder(printer, name, (low, high) => (isTaken ||= staying.has(low, high)));
      isTaken ||= staying.has(printer.low, printer.high) || folders.has(printer.low, printer.high);
    }
    if (isTaken) throw taken(path);
  }
}

function bothPaths(path: readonly string[], suffix: string | undefined): readonly (readonly string[])[] {
  return bothNames(path.at(-1)!, suffix).map((name) => [...path.slice(0, -1), name]);
}

/** A name that a renamed file had, complete or not, is not one that another has then: which is whose would be unknown on disk. */
function assertApart(
  files: readonly TorrentFile[],
  changed: ReadonlyMap<number, readonly string[]>,
  suffix: string,
): void {
  const old = new Set([...changed.keys()].flatMap((index) => bothPaths(files[index]!.path, suffix).map(joined)));
  for (const path of changed.values()) {
    if (
      bothPaths(path, suffix)
        .map(joined)
        .some((name) => old.has(name))
    )
      throw taken(path);
  }
}

function joined(path: readonly string[]): string {
  return path.join('/');
}

/** The printer has the whole path afterwards. */
function forEachFolder(
  printer: PathPrinter,
  path: readonly string[],
  visit: (low: number, high: number) => void,
): void {
  const folders = printer.read(path, 0);
  for (let nth = 0; nth < folders; nth++) visit(printer.prefixes[2 * nth]!, printer.prefixes[2 * nth + 1]!);
}

/** The folder with which the fewest files need paths of their own, and these. */
function fewestOwn(
  listed: TorrentInfo,
  folders: readonly (string | undefined)[],
  paths: readonly (readonly string[])[],
): Pick<RenamedPaths, 'folder' | 'own'> {
  const choices = folders.map((folder) => ({ folder, own: differing(laidOut(listed, { folder }), paths) }));
  return choices.reduce((best, choice) => (choice.own.size < best.own.size ? choice : best));
}

/** Files that do not lie where they would lie by themselves. */
function differing(
  { files }: TorrentInfo,
  paths: readonly (readonly string[])[],
): ReadonlyMap<number, readonly string[]> {
  const own = new Map<number, readonly string[]>();
  for (const { index, path, isPad } of files) {
    const wanted = paths[index]!;
    if (!isPad && !isSamePath(path, wanted)) own.set(index, wanted);
  }
  return own;
}

function isSamePath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && isAtOrIn(one, other);
}

function taken(path: readonly string[]): AppError {
  const shown = path.join('/');
  const said = `to: ${shown} is another file of the torrent, or a folder of it`;
  return new AppError('MOVE_TARGET_TAKEN', said, because('PATH_TAKEN', { path: shown }));
}

function invalid(why: string): AppError {
  return new AppError('RENAME_INVALID', `to: ${why}`);
}
