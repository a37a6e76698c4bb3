// What the session may use of creation.
export { MAX_CREATIONS } from './constants.js';
export { Creation, type CreationDeps } from './creation.js';
