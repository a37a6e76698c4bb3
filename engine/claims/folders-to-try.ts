// The folders in which a torrent may be laid, its own first, then names beside one that is taken; and what is stored of the
// one that was free. Pure.
import type { ContentLayout } from '../../shared-protocol/content-layout.js';
import type { TorrentId } from '../../shared-protocol/ids.js';
import type { TorrentRow } from '../../storage/types.js';
import { foldersFor, topNameOf, withEnding, type TorrentInfo } from '../metainfo/index.js';

/** Names tried beside one that is taken; who finds all of them taken has made them so. */
export const MAX_BESIDE = 100;

/** The part of a torrent's row that says where its files lie below the save path. */
export type PlaceRow = Pick<TorrentRow, 'folder' | 'topNames'> & Partial<Pick<TorrentRow, 'name'>>;

/** Folders for a torrent, in the order in which they are tried; those that are not its own have nothing in them yet. */
export function* foldersToTry(
  info: TorrentInfo,
  id: TorrentId,
  layout: ContentLayout,
): Iterable<{ readonly folder: string | undefined; readonly isOwn: boolean }> {
  const own = foldersFor(info, layout);
  for (const folder of own) yield { folder, isOwn: true };
  const name = own.at(-1) ?? topNameOf(info);
  for (let attempt = 1; attempt <= MAX_BESIDE; attempt++) yield { folder: besideName(name, id, attempt), isOwn: false };
}

/** A name that it has in common with no other is not stored twice. */
export function placeRow(name: string, folder: string | undefined, names: readonly string[]): PlaceRow {
  const isItsName = names.length === 1 && names[0] === name;
  return { name, ...(folder === undefined ? {} : { folder }), ...(isItsName ? {} : { topNames: names }) };
}

/** `name.0123abcd`, then `name.0123abcd.1` and so on. */
function besideName(name: string, id: TorrentId, attempt: number): string {
  return withEnding(name, `.${id.slice(0, 8)}${attempt === 1 ? '' : `.${attempt - 1}`}`);
}
