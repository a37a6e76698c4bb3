// One run of torrents as the JSON that lists are made of, for one account. Never changed once it is made: it waits in
// sockets, is deflated in another thread, and is a part of many snapshots. A newer one takes over what is the same.
import type { Access } from '../../shared-protocol/dto/torrents.js';
import type { TorrentFacts } from '../../shared-protocol/events.js';
import type { DeflatedRun } from '../deflate/deflated-lists.js';
import type { Labels } from '../services/library/labels.js';
import type { TorrentRun } from '../services/library/torrent-order.js';
import { maskMagnet } from './masking.js';
import type { RunFigures } from './run-figures.js';
import { toTorrentFigures, toTorrentIdentity } from './torrent-dto.js';

export type SnapshotLabels = Pick<Labels, 'revision' | 'category' | 'tag'>;

export class RunBytes {
  /** Kept here by deflate/deflated-lists.ts. */
  readonly deflated: DeflatedRun = { first: null, later: null };

  constructor(
    readonly run: TorrentRun,
    /** Each torrent as `,` and an object: first what changes rarely, then the numbers. */
    readonly bytes: Buffer,
    /** Where each begins; at the end, where the last one ends. */
    readonly starts: readonly number[],
    /** Where the numbers of each begin, with a `,` before the first one. */
    readonly figuresAt: readonly number[],
    /** Of the rows, when their numbers were read. */
    readonly sequences: readonly number[],
    /** Of the labels that it shows. */
    public labelsRevision: number,
  ) {}

  /** With its comma. */
  torrent(index: number): Buffer {
    return this.bytes.subarray(this.starts[index], this.starts[index + 1]);
  }

  /** What changes rarely, of one torrent. */
  identity(index: number): Buffer {
    return this.bytes.subarray(this.starts[index], this.figuresAt[index]);
  }

  /** The numbers as clients have them. */
  figures(index: number): Record<string, unknown> {
    const text = this.bytes.toString('latin1', this.figuresAt[index]! + 1, this.starts[index + 1]);
    // It is our own JSON of an object.
    return JSON.parse(`{${text}`) as Record<string, unknown>;
  }
}

/** A torrent in bytes that were made before. */
export interface Known {
  readonly in: RunBytes;
  readonly index: number;
}

export interface RunSources {
  readonly labels: SnapshotLabels;
  readonly accessOf: (facts: TorrentFacts) => Access | null;
  /** These very facts in older bytes. */
  readonly known: (facts: TorrentFacts, index: number) => Known | undefined;
}

/** Whether the bytes still show what there is. */
export function areCurrent(bytes: RunBytes, figures: RunFigures, labels: SnapshotLabels): boolean {
  if (labels.revision !== bytes.labelsRevision) {
    // What somebody does to a label does not matter to torrents that have none.
    if (bytes.run.some(isLabelled)) return false;
    bytes.labelsRevision = labels.revision;
  }
  const { sequences } = bytes;
  for (let i = 0; i < sequences.length; i++) if (sequences[i] !== figures.sequences[i]) return false;
  return true;
}

export function encodeRun(run: TorrentRun, figures: RunFigures, sources: RunSources): RunBytes {
  // Short ones: cheaper than typed arrays, each of which is memory outside of the heap.
  const [starts, figuresAt]: [number[], number[]] = [[], []];
  const pieces = new Pieces();
  for (let i = 0; i < run.length; i++) {
    const facts = run[i]!;
    const known = sources.known(facts, i);
    starts.push(pieces.length);
    const hasIdentity = known && (known.in.labelsRevision === sources.labels.revision || !isLabelled(facts));
    if (hasIdentity) pieces.copy(known.in.bytes, known.in.starts[known.index]!, known.in.figuresAt[known.index]!);
    else pieces.write(identityOf(facts, sources), 'utf8');
    figuresAt.push(pieces.length);
    const hasFigures = known && known.in.sequences[known.index] === figures.sequences[i];
    if (hasFigures) pieces.copy(known.in.bytes, known.in.figuresAt[known.index]!, known.in.starts[known.index + 1]!);
    // All of it is ASCII.
    else pieces.write(figuresOf(figures, i), 'latin1');
  }
  starts.push(pieces.length);
  const sequences = figures.sequences.slice();
  return new RunBytes(run, pieces.join(), starts, figuresAt, sequences, sources.labels.revision);
}

interface Piece {
  /** Copied from there, else the text is written. */
  readonly from: Buffer | null;
  readonly begin: number;
  end: number;
  readonly text: string;
  readonly encoding: 'utf8' | 'latin1';
}

/** What bytes are put together of. */
class Pieces {
  /** In bytes, all of them. */
  length = 0;
  readonly #pieces: Piece[] = [];

  copy(from: Buffer, begin: number, end: number): void {
    this.length += end - begin;
    const last = this.#pieces.at(-1);
    // What lay side by side is copied at once.
    if (last?.from === from && last.end === begin) last.end = end;
    else this.#pieces.push({ from, begin, end, text: '', encoding: 'latin1' });
  }

  write(text: string, encoding: Piece['encoding']): void {
    this.length += Buffer.byteLength(text, encoding);
    this.#pieces.push({ from: null, begin: 0, end: 0, text, encoding });
  }

  /** Of memory of its own, not of the shared pool, of which one that is kept for long would hold 8 KiB. */
  join(): Buffer {
    const bytes = Buffer.allocUnsafeSlow(this.length);
    let at = 0;
    for (const { from, begin, end, text, encoding } of this.#pieces) {
      at += from ? from.copy(bytes, at, begin, end) : bytes.write(text, at, encoding);
    }
    return bytes;
  }
}

function identityOf(facts: TorrentFacts, { labels, accessOf }: RunSources): string {
  // A torrent that is in the account's list is one that it may see (services/library/visibility.ts).
  const access = accessOf(facts) ?? 'viewer';
  const shown = access === 'viewer' ? { ...facts, magnet: maskMagnet(facts.magnet, facts.isPrivate) } : facts;
  return `,${JSON.stringify(toTorrentIdentity(shown, labels)).slice(0, -1)},"access":"${access}"`;
}

function figuresOf(figures: RunFigures, index: number): string {
  return `,${JSON.stringify(toTorrentFigures(figures.of(index))).slice(1)}`;
}

function isLabelled({ library }: TorrentFacts): boolean {
  return library.categoryId !== null || library.tagIds.length > 0;
}
