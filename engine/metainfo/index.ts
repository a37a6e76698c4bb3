// What other folders may use of metainfo.
export {
  asBytes,
  asDictionary,
  asInteger,
  asList,
  asText,
  decodeBencode,
  decodeBencodePrefix,
  scanBencode,
  type BencodeDictionary,
  type BencodeLimits,
  type BencodeValue,
} from './bencode.js';
export {
  EXTENSION_LIMITS,
  MAX_INFO_BYTES,
  MAX_NAME_BYTES,
  MAX_PATH_ELEMENTS,
  MAX_SELECTED_RANGES,
  MAX_TORRENT_BYTES,
  MIN_PIECE_LENGTH_BYTES,
  PIECE_HASH_BYTES,
  TRACKER_REPLY_LIMITS,
} from './constants.js';
export {
  areTooManyTopNames,
  foldersFor,
  laidOut,
  NO_FOLDER,
  topNameOf,
  topNamesOf,
  type DiskPaths,
} from './disk-paths.js';
export { bothNames, IncompleteNames } from './incomplete-names.js';
export { infoFactsOf, type InfoFacts } from './info-facts.js';
export { parseInfoDictionary, refuseSmallPieces } from './info-dictionary.js';
export { maxPathListBytes, readPathList, writePathList } from './path-list.js';
export { renamedPaths, type RenamedPaths } from './rename-paths.js';
export { parseMagnet } from './magnet.js';
export { isPosixElement, joinInside, safeElement, withEnding } from './safe-path.js';
export { parseTorrentFile } from './torrent-file.js';
export { replacePrefix } from './tracker-prefix.js';
export { cleanTiers, cleanTrackerUrl, cleanWebSeeds, sameTracker, TrackerSet } from './trackers.js';
export { writeInfoDictionary } from './write-info-dictionary.js';
export { writeTorrentFile } from './write-torrent-file.js';
export type { Magnet, Metainfo, TorrentFile, TorrentInfo, TorrentOrigin } from './types.js';
