// What the first pages of an LMDB file say of it, looked at before LMDB does: a file that is empty it takes for a new one, and one
// that is no database, or was cut off, ends the process by a signal and without a word. Only what cannot be of a whole file counts.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Two meta pages, each behind a header of its own; LMDB writes numbers as the machine has them, which is low byte first. */
const META_PAGES = 2;
const HEADER_BYTES = 24;
const META_BYTES = 136;
const MAGIC = 0xbeefc0de;
/** Positions within a meta page. */
const AT = { magic: HEADER_BYTES, pageSize: 48, freeRoot: 88, mainRoot: 136, transaction: 152 } as const;
/** The root of a tree without pages. */
const NO_PAGE = 0xffff_ffff_ffff_ffffn;

/** Why the file cannot be used; null: nothing says so. Throws what the system says. */
export function damageOf(path: string): string | null {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size === 0) return 'is empty';
    const first = metaAt(file, 0);
    const second = first && metaAt(file, first.readUInt32LE(AT.pageSize));
    if (!first || !second) return 'is no database';
    const isFirst = first.readBigUInt64LE(AT.transaction) > second.readBigUInt64LE(AT.transaction);
    return hasRoots(isFirst ? first : second, size) ? null : 'is cut off';
  } finally {
    closeSync(file);
  }
}

function metaAt(file: number, position: number): Buffer | null {
  const page = Buffer.alloc(HEADER_BYTES + META_BYTES);
  if (readSync(file, page, 0, page.length, position) < page.length) return null;
  return page.readUInt32LE(AT.magic) === MAGIC ? page : null;
}

/** Whether the pages from which all others are found are within the file. */
function hasRoots(meta: Buffer, size: number): boolean {
  const pageSize = BigInt(meta.readUInt32LE(AT.pageSize));
  const pages = BigInt(size) / (pageSize || 1n);
  const roots = [meta.readBigUInt64LE(AT.freeRoot), meta.readBigUInt64LE(AT.mainRoot)];
  return pages >= META_PAGES && roots.every((root) => root === NO_PAGE || root < pages);
}
