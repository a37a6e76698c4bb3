// What other folders may use of claims.
export type { Reservation } from './claimed-places.js';
export { Claims } from './claims.js';
export { ELSEWHERE, nothingElsewhere, partsOf, type FileIdentity } from './file-record.js';
export type { FilesElsewhere } from './files-elsewhere.js';
export { RecordedFiles } from './recorded-files.js';
export type { TorrentFiles } from './torrent-files.js';
export type { ClaimingTorrent, ReadRight } from './types.js';
