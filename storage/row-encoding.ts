// How rows are kept: as JSON, each whole by itself and readable by whatever reads JSON, and decoded three times as fast
// as MessagePack, which stores of version 1 have. Those rows are read as they are, and become JSON when they change.
import { Unpackr } from 'msgpackr';
import { detached } from './detached.js';

/** In MessagePack this byte is a number by itself, which no row was. */
const BRACE = '{'.charCodeAt(0);

const unpackr = new Unpackr();

/** For lmdb-js. Rows are plain data without bytes. */
export const rowEncoding = {
  encode: (row: unknown): string => JSON.stringify(row),

  /** The buffer is used again after it, and may be longer than the row: its size is told by some callers only. */
  decode(bytes: Buffer, size: unknown): unknown {
    const end = typeof size === 'number' ? size : bytes.length;
    if (bytes[0] === BRACE) return JSON.parse(bytes.toString('utf8', 0, end));
    return detached(unpackr.unpack(bytes.subarray(0, end)));
  },
};
