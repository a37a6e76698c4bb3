// The list of a torrent's files with paths of their own, as it is stored. What is not understood of it is not believed: such
// a file lies where the metainfo has it.
import { isPosixElement, safeElement } from './safe-path.js';

const KIB = 1024;

/** A torrent's list counts with its metadata, which accounts have so much of: no spec value. */
export function maxPathListBytes(infoBytes: Uint8Array): number {
  return Math.max(64 * KIB, 2 * infoBytes.length);
}

/** JSON: index and path of each. */
export function writePathList(own: ReadonlyMap<number, readonly string[]>): Uint8Array {
  return Buffer.from(JSON.stringify([...own].map(([index, path]) => [index, path.join('/')])));
}

/** The bytes are ours, and still nothing in them leads out of the save path. */
export function readPathList(bytes: Uint8Array): Map<number, readonly string[]> {
  const own = new Map<number, readonly string[]>();
  const listed = JSON.parse(Buffer.from(bytes).toString()) as readonly (readonly [number, string])[];
  for (const [index, joined] of listed) {
    const path = joined.split('/');
    if (path.every((element) => isPosixElement(element) || safeElement(element, 'posix') === element))
      own.set(index, path);
  }
  return own;
}
