// Bytes of a file, however many of them one read gives.
import type { FileHandle } from 'node:fs/promises';

/**
 * Fills `into` from the position on, or, without one, from where the file was read to. Resolves with how many bytes there were:
 * fewer than fit where the file ends before.
 */
export async function fillFromFile(file: FileHandle, into: Uint8Array, position: number | null): Promise<number> {
  for (let at = 0; at < into.length;) {
    const from = position === null ? null : position + at;
    const { bytesRead } = await file.read(into, at, into.length - at, from);
    if (bytesRead === 0) return at;
    at += bytesRead;
  }
  return into.length;
}
