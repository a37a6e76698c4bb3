// What other folders may use of claims.
export { Claims, type Reservation } from './claims.js';
export { inFolder, topNameOf } from './in-folder.js';
export type { TorrentFiles } from './torrent-files.js';
export type { ClaimingTorrent } from './types.js';
