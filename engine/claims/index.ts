// What other folders may use of claims.
export { Claims, type Reservation } from './claims.js';
export { ELSEWHERE, nothingElsewhere, partsOf, type FileIdentity } from './file-record.js';
export type { FilesElsewhere } from './files-elsewhere.js';
export type { TorrentFiles } from './torrent-files.js';
export type { ClaimingTorrent, ReadRight } from './types.js';
