// Bencode for the engine: values as plain data, and scanning without a tree.
export * from '../../shared-protocol/bencode-values.js';
export { scanBencode } from './scan-bencode.js';
