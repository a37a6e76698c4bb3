// A torrent as another program has recorded it, at the moment it is added: where its files lie, and its first record of progress.
import { AppError } from '../../shared-protocol/errors.js';
import type { RecordedState } from '../../shared-protocol/recorded-state.js';
import type { ResumeRow, TorrentRow } from '../../storage/types.js';
import {
  laidOut,
  isPosixElement,
  maxPathListBytes,
  safeElement,
  writePathList,
  type DiskPaths,
  type TorrentFile,
  type TorrentInfo,
} from '../metainfo/index.js';
import { prioritiesOf } from '../torrent/files/file-priorities.js';
import { recordedResume } from '../torrent/resume/recorded-resume.js';

/** The number of the list of paths that a torrent comes with. */
export const FIRST_PATH_LIST = 1;
/** The depth that a path of a metainfo may have. */
const MAX_ELEMENTS = 128;

export interface RecordedPaths extends DiskPaths {
  /** The stored form; null: no file has a path of its own. */
  readonly list: Uint8Array | null;
}

/** @throws AppError `RENAME_INVALID` names the path that cannot be one below a save path */
export function recordedPaths(
  info: TorrentInfo,
  infoBytes: Uint8Array,
  { folder, paths, names }: RecordedState,
): RecordedPaths {
  const own = new Map<number, readonly string[]>();
  if (folder !== undefined && folder !== '') assertSafe([folder]);
  const listed = laidOut(info, { folder });
  if (names === 'raw') {
    for (const file of listed.files) {
      const path = file.isPad ? null : authorsPath(info, file, folder);
      if (path) own.set(file.index, path);
    }
  }
  for (const [index, path] of paths) {
    const file = listed.files[index];
    if (!file) throw new AppError('RENAME_INVALID', `files: there is none with the number ${index}`);
    assertSafe(path);
    if (file.isPad) continue;
    if (path.join('/') === file.path.join('/')) own.delete(index);
    else own.set(index, path);
  }
  const list = own.size > 0 ? writePathList(own) : null;
  if (list && list.length > maxPathListBytes(infoBytes)) {
    throw new AppError(
      'RENAME_INVALID',
      'files: more of them have been renamed than is kept of a torrent of this size',
    );
  }
  if (list) assertApart(laidOut(info, { folder, own }));
  return { folder, own, list };
}

/** @throws AppError `TORRENT_INVALID` */
export function recordedOf(info: TorrentInfo, row: TorrentRow, recorded: RecordedState, unixMs: number): ResumeRow {
  return recordedResume(info, prioritiesOf(info, row.filePriorities), recorded, unixMs);
}

/** The path by the names that its author gave; null: it is the same, or is none on a POSIX file system. */
function authorsPath(
  info: TorrentInfo,
  { path, rawPath }: TorrentFile,
  folder: string | undefined,
): readonly string[] | null {
  if (rawPath === undefined && (info.rawName === undefined || folder !== undefined)) return null;
  const below = rawPath ?? path.slice(1);
  const top = folder ?? info.rawName ?? info.name;
  const whole = top === '' ? below : [top, ...below];
  return whole.every(isPosixElement) ? whole : null;
}

function assertSafe(path: readonly string[]): void {
  if (
    path.length > 0 &&
    path.length <= MAX_ELEMENTS &&
    path.every((element) => isPosixElement(element) || safeElement(element, 'posix') === element)
  )
    return;
  const shown = path.join('/').slice(0, 200);
  throw new AppError('RENAME_INVALID', `files: ${JSON.stringify(shown)} is no path that a file can have here`);
}

function assertApart({ files }: TorrentInfo): void {
  const seen = new Set<string>();
  for (const { path, isPad } of files) {
    const text = path.join('/').toLowerCase();
    if (!isPad && seen.has(text))
      throw new AppError('RENAME_INVALID', `files: two of them have the path ${path.join('/')}`);
    if (!isPad) seen.add(text);
  }
  for (const { path } of files) {
    for (let depth = 1; depth < path.length; depth++) {
      const folder = path.slice(0, depth).join('/');
      if (seen.has(folder.toLowerCase()))
        throw new AppError('RENAME_INVALID', `files: ${folder} is a file and a folder`);
    }
  }
}
