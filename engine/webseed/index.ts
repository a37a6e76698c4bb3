// What other folders may use of web seeds.
export type { WebSeedHttpOptions } from './http.js';
export { webSeedsOnDemand } from './http-on-demand.js';
export { isWebSeedAddress, webSeedPeerId } from './identity.js';
export { webSeedOutcome, type WebSeedOutcome } from './outcome.js';
export { WebSeedRoster, type WebSeedState, type WebSeedView } from './roster.js';
export type { SeedForm } from './seed-parts.js';
export { openWebSeed, type WebSeedDeps, type WebSeedOptions } from './socket.js';
export type { WebSeedHttp } from './types.js';
