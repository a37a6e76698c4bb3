// When a volume counts as full, when it has room again, and when it is looked at (docs/limits.md 2.29). Pure.
import { MINUTE_MS, SECOND_MS } from '../environment.js';

const MIB = 1024 * 1024;

export interface Space {
  readonly freeBytes: number;
  /** 0: the file system does not tell, so neither number means anything. */
  readonly totalBytes: number;
}

/** Free space left to others: a file system without a free block refuses even its owner's state files. */
const MAX_RESERVE_BYTES = 64 * MIB;
const RESERVE_SHARE = 0.01;
/** This much must be free again before downloads go on, lest they stop again at once. */
const RETURN_BYTES = 512 * MIB;
const RETURN_SHARE = 0.01;
/** The share of a volume so small that it could never have that much. */
const MAX_RETURN_SHARE = 0.5;
/** Bytes written between two looks at the free space, over all torrents of a volume. */
const MAX_CREDIT_BYTES = 64 * MIB;

/** Soon at first: what people have noticed they may have mended by now. Then as docs/semantics.md section 5 has it. */
const LOOKS_MS = [2 * SECOND_MS, 5 * SECOND_MS, 10 * SECOND_MS, 30 * SECOND_MS] as const;
/** Trouble that comes back within this is the same trouble: no notice, and no quick looks. */
export const SAME_TROUBLE_MS = 5 * MINUTE_MS;

export function reserveBytes({ totalBytes }: Space): number {
  return Math.min(MAX_RESERVE_BYTES, Math.floor(totalBytes * RESERVE_SHARE));
}

/** Bytes that may be written before the free space is looked at again, besides those under way; 0: it is full. */
export function creditBytes(space: Space, underWayBytes: number): number {
  if (space.totalBytes === 0) return MAX_CREDIT_BYTES;
  return Math.max(0, Math.min(MAX_CREDIT_BYTES, space.freeBytes - reserveBytes(space) - underWayBytes));
}

/** Whether downloads that lack `missingBytes` in all may go on after the volume was full. */
export function hasRoomAgain(space: Space, missingBytes: number): boolean {
  const { freeBytes, totalBytes } = space;
  if (totalBytes === 0) return true;
  const ample = Math.min(Math.max(RETURN_BYTES, totalBytes * RETURN_SHARE), totalBytes * MAX_RETURN_SHARE);
  return freeBytes >= Math.min(ample, missingBytes) + reserveBytes(space);
}

/** From one look to the next; `round` counts from 0. */
export function lookDelayMs(round: number): number {
  return LOOKS_MS[Math.min(round, LOOKS_MS.length - 1)]!;
}
