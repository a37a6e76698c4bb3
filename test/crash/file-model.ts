// The bytes and the size of one file of the modelled disk: what is durable, and what was written since the last sync, of
// which a power cut keeps any pages.

const PAGE_BYTES = 4096;

type Change =
  | { readonly kind: 'write'; readonly at: number; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'resize'; readonly at: number; readonly length: number };
export interface FileNode {
  readonly kind: 'file';
  durable: Buffer;
  pending: Change[];
}
/** Which of the changes that were not synced a power cut keeps. */
export interface Survival {
  /** A change of names made at this time: all of it or nothing. */
  names(at: number): boolean;
  /** One page of what was written to a file at this time, or a change of its size. */
  bytes(at: number): boolean;
}

export function newFile(): FileNode {
  return { kind: 'file', durable: Buffer.alloc(0), pending: [] };
}

export class OpenFile {
  /** Of the descriptor. */
  position = 0;
  /** O_DSYNC: a write is durable when it returns. */
  isSynchronous = false;

  constructor(private readonly node: FileNode) {}

  get length(): number {
    return this.node.pending.reduce(
      (length, change) => (change.kind === 'resize' ? change.length : Math.max(length, endOf(change))),
      this.node.durable.length,
    );
  }

  write(offset: number, bytes: Buffer, at: number): void {
    const change = { kind: 'write', at, offset, bytes } as const;
    if (!this.isSynchronous) this.node.pending.push(change);
    else if (this.node.pending.length === 0) this.node.durable = applyWhole(this.node.durable, change);
    else throw new Error('a synchronous write over others that are not synced, which the model does not know');
  }

  resize(length: number, at: number): void {
    this.node.pending.push({ kind: 'resize', at, length });
  }

  /** A sync that began at this time. */
  sync(begin: number): void {
    const covered = this.node.pending.filter(({ at }) => at < begin);
    this.node.durable = covered.reduce((bytes, change) => applyWhole(bytes, change), this.node.durable);
    this.node.pending = this.node.pending.filter(({ at }) => at >= begin);
  }
}

/** After a power cut. */
export function contentOf({ durable, pending }: FileNode, survival: Survival): Buffer {
  let content = durable;
  for (const change of pending) {
    if (change.kind === 'resize') {
      if (survival.bytes(change.at)) content = resized(content, change.length);
      continue;
    }
    // Of a longer write any of its pages may have been written, and no other.
    for (let start = change.offset; start < endOf(change);) {
      const end = Math.min(endOf(change), (Math.floor(start / PAGE_BYTES) + 1) * PAGE_BYTES);
      const bytes = change.bytes.subarray(start - change.offset, end - change.offset);
      if (survival.bytes(change.at)) content = applyWhole(content, { ...change, offset: start, bytes });
      start = end;
    }
  }
  return content;
}

function applyWhole(content: Buffer, change: Change): Buffer {
  if (change.kind === 'resize') return resized(content, change.length);
  const whole = resized(content, Math.max(content.length, endOf(change)));
  change.bytes.copy(whole, change.offset);
  return whole;
}

/** A copy; what is added reads as zeroes. */
function resized(content: Buffer, length: number): Buffer {
  const copy = Buffer.alloc(length);
  content.copy(copy, 0, 0, length);
  return copy;
}

function endOf({ offset, bytes }: Extract<Change, { kind: 'write' }>): number {
  return offset + bytes.length;
}
