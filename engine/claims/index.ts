// What other folders may use of claims.
export { Claims, type Reservation } from './claims.js';
export { inFolder, topNameOf } from './in-folder.js';
export type { ClaimingTorrent } from './types.js';
