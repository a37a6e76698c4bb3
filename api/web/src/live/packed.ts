// How a list of messages lies between the worker and the page: as text, which the page takes apart several times as fast as
// a copy of so many objects, in a buffer that is handed over. A text of its own would stay for as long as the event of the
// message, and browsers keep that until they collect all garbage, not the youngest alone.
import type { FromWorker } from './messages.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function packed(messages: readonly FromWorker[]): ArrayBuffer {
  return encoder.encode(JSON.stringify(messages)).buffer;
}

export function unpacked(buffer: ArrayBuffer): readonly FromWorker[] {
  return JSON.parse(decoder.decode(buffer)) as readonly FromWorker[]; // as the worker has packed them
}
