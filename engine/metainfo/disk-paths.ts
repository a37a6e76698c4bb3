// Where a torrent's files lie below its save path: the one place that maps the metainfo's paths to those on disk. A torrent
// may lie in a folder of another name, in none, and single files may have paths of their own. Pure. What the info dictionary
// says, and web seeds are asked for, stays as it is.
import type { ContentLayout } from '../../shared-protocol/content-layout.js';
import type { NameRules } from '../../shared-protocol/name-rules.js';
import { safeElement } from './safe-path.js';
import type { TorrentFile, TorrentInfo } from './types.js';

/** First elements that a torrent may have; they are in memory while it rests, as its trackers are. No spec value. */
export const MAX_TOP_NAMES = 256;
export const MAX_TOP_NAMES_BYTES = 16 * 1024;
/** In place of the metainfo's own folder: the files lie right in the save path. */
export const NO_FOLDER = '';

/** The mapping; absent parts are as the metainfo has them. */
export interface DiskPaths {
  readonly folder?: string | undefined;
  /** Whole paths, by file index. */
  readonly own?: ReadonlyMap<number, readonly string[]> | undefined;
}

/** The first element of all the metainfo's paths: its folder, or its one file. */
export function topNameOf({ files, infoHash }: TorrentInfo): string {
  return files[0]?.path[0] ?? infoHash;
}

/** The first elements of all paths, each once. `paths`: by index, those that count. @default those of the files */
export function topNamesOf(
  { files }: Pick<TorrentInfo, 'files'>,
  paths: readonly (readonly string[])[] = files.map(({ path }) => path),
): string[] {
  const onDisk = files.filter(({ isPad }) => !isPad);
  return [...new Set((onDisk.length > 0 ? onDisk : files).map(({ index }) => paths[index]![0]!))];
}

export function areTooManyTopNames(names: readonly string[]): boolean {
  return names.length > MAX_TOP_NAMES || Buffer.byteLength(names.join('')) > MAX_TOP_NAMES_BYTES;
}

/** The torrent with its paths as they are on disk. `info`: as the metainfo has them. */
export function laidOut(info: TorrentInfo, { folder, own }: DiskPaths): TorrentInfo {
  if (folder === undefined && !own?.size) return info;
  return { ...info, files: info.files.map((file) => placed(file, folder, own?.get(file.index))) };
}

/** Folders in which the torrent may lie as this layout wants it, the best first; undefined: the metainfo's own. */
export function foldersFor(info: TorrentInfo, layout: ContentLayout): readonly (string | undefined)[] {
  const isOneFile = info.files.every(({ path }) => path.length === 1);
  if (layout === 'subfolder' && isOneFile) return [stemOf(topNameOf(info), info.names)];
  if (layout === 'no_subfolder' && !isOneFile) {
    const bare = topNamesOf(laidOut(info, { folder: NO_FOLDER }));
    if (!areTooManyTopNames(bare)) return [NO_FOLDER, undefined];
  }
  return [undefined];
}

function placed(file: TorrentFile, folder: string | undefined, own: readonly string[] | undefined): TorrentFile {
  const path = own ?? (folder === undefined ? file.path : inFolder(file.path, folder));
  // Web seeds know the file by where the metainfo has it.
  if (path === file.path) return file;
  const { index, rawPath = file.path.slice(1), sizeBytes, offset, isPad } = file;
  // Spelt out: of half a million files a spread takes seconds.
  return { index, path, rawPath, sizeBytes, offset, isPad };
}

/** A torrent of one file gets a folder. */
function inFolder(path: readonly string[], folder: string): readonly string[] {
  const below = path.length > 1 ? path.slice(1) : path;
  return folder === NO_FOLDER ? below : [folder, ...below];
}

/** A name without its extension, where that leaves one. */
function stemOf(name: string, rules?: NameRules): string {
  const stem = name.replace(/\.[^.]{1,16}$/, '');
  return stem === '' ? name : safeElement(stem, rules);
}
