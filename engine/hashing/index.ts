// What others may use of hashing.
export { createHasher, type HasherDeps, type HasherOptions } from './hasher.js';
export { createInlineHasher } from './inline-hasher.js';
export type { ReadSome } from './hash-spans.js';
export { createSlab, type SharedSlab } from './slab.js';
export type { PieceHasher, PieceSpan, Slab, SlabRegion } from './types.js';
