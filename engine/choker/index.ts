// What others may use of the choker.
export { DEFAULT_CHOKER_OPTIONS, DEFAULT_UNCHOKE_SLOTS_OPTIONS, SEED_TURN_MS } from './constants.js';
export { evaluateChokes } from './evaluate-chokes.js';
export { ServiceHistory } from './service-history.js';
export { SlotRoom } from './slot-room.js';
export { unchokeSlots } from './unchoke-slots.js';
export type * from './types.js';
