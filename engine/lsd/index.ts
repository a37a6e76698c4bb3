// What the rest of the engine may use of local service discovery.
export { createLsd, type Lsd, type LsdCounters, type LsdDeps, type LsdOptions } from './lsd.js';
