// What others may use of the choker.
export { DEFAULT_CHOKER_OPTIONS, DEFAULT_UNCHOKE_SLOTS_OPTIONS } from './constants.js';
export { evaluateChokes } from './evaluate-chokes.js';
export { unchokeSlots } from './unchoke-slots.js';
export type * from './types.js';
