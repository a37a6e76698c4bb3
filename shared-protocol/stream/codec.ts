// Messages as bytes: MessagePack, which has whole numbers, infinities, `undefined` and bytes as they are. What is in shared
// memory between threads crosses as its bytes, and is in shared memory there again.
import { addExtension, Packr } from 'msgpackr';
import { AppError } from '../errors.js';
import { isPlainMessage } from './plain-message.js';

/** Ours, from the range that applications may choose from. */
const SHARED_BYTES = 0x53;

addExtension({
  Class: SharedArrayBuffer,
  type: SHARED_BYTES,
  pack: (shared: SharedArrayBuffer) => Buffer.from(new Uint8Array(shared)),
  unpack(bytes: Uint8Array) {
    const shared = new SharedArrayBuffer(bytes.length);
    new Uint8Array(shared).set(bytes);
    return shared;
  },
});

const packr = new Packr({
  useRecords: false,
  encodeUndefinedAsNil: false,
  // Arrays of numbers stay arrays of their kind.
  moreTypes: true,
  // A piece of a frame would keep all of it.
  copyBuffers: true,
  writeFunction() {
    throw new AppError('BUG', 'bug: a function cannot cross to another process');
  },
});

/** @throws AppError `BUG` for what cannot cross */
export function encodeMessage(message: object): Uint8Array {
  return packr.pack(message);
}

/** null: the bytes are no message. */
export function decodeMessage(bytes: Uint8Array): unknown {
  if (!isPlainMessage(bytes)) return null;
  try {
    // As plain bytes: of a Buffer all the pieces would be Buffers.
    return packr.unpack(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length));
  } catch {
    return null;
  }
}
