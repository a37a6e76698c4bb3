// What others may use of the picker.
export { piecePrioritiesFromFiles } from './piece-priorities.js';
export { createPicker } from './piece-picker.js';
export type * from './types.js';
