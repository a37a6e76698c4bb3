// A torrent's row as it is kept in memory while the torrent rests: equal to the one it was made from, with what other
// torrents have as well held once for all of them. Lists that grew while they were read have room for 17 each; here they have
// room for what is in them.
import { CommonTexts, commonList } from '../../../shared-protocol/common-values.js';
import type { LibraryRecord } from '../../../shared-protocol/library-record.js';
import type { TorrentRow } from '../../../storage/types.js';

const texts = new CommonTexts();

/** A row, or a change of one: what a change does not name stays the very object that it is (`haveSameFacts`). */
export function restingRow<Row extends Partial<TorrentRow>>(row: Row): Row {
  const { savePath, trackers, webSeeds, httpSeeds, library } = row;
  return {
    ...row,
    ...(savePath !== undefined && { savePath: texts.of(savePath) }),
    ...(trackers && { trackers: commonList(trackers.map((tier) => tier.map((url) => texts.of(url)))) }),
    ...(webSeeds && { webSeeds: commonList(webSeeds) }),
    ...(httpSeeds && { httpSeeds: commonList(httpSeeds) }),
    ...(library && { library: restingLibrary(library) }),
  };
}

function restingLibrary(library: LibraryRecord): LibraryRecord {
  return { ...library, shares: commonList(library.shares), tagIds: commonList(library.tagIds) };
}
