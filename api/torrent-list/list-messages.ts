// What the push channel says of lists, as the messages of docs/api.md: a list in full, what has changed of it, its
// totals. Clients that are told the same share the message; its bytes are made when it is first sent.
import type { GlobalStats } from '../../shared-protocol/dto/torrents.js';
import { deflatedPart, type DeflatedPart } from './deflate/deflated-part.js';
import type { DeflatedLists } from './deflated-lists.js';
import { deltaBetween } from './list-delta.js';
import type { ListSnapshot } from './list-snapshot.js';

/** A message of the push channel about a list, as ws/frames.ts takes any message. */
export interface ListMessage {
  readonly type: 'torrents:tick' | 'torrents:delta' | 'stats:tick';
  /** Bytes of all its parts. */
  readonly length: number;
  /** The bytes; a chunk that is in two messages is mostly the same buffer. */
  readonly parts: () => readonly Uint8Array[];
  /** The parts in DEFLATE, where they are known in it. Rejects when they cannot be deflated at the moment. */
  readonly deflated?: () => Promise<readonly DeflatedPart[]>;
}

const HEAD = '{"type":"torrents:tick","payload":';
const TAIL = '}';
const [HEAD_BYTES, TAIL_BYTES] = [Buffer.from(HEAD), Buffer.from(TAIL)];
const [DEFLATED_HEAD, DEFLATED_TAIL] = [deflatedPart(`${HEAD}[`), deflatedPart(`]${TAIL}`)];

/** Makes the messages of snapshots, and keeps each for as long as its snapshot. */
export class ListMessages {
  readonly #full = new WeakMap<ListSnapshot, ListMessage>();
  readonly #deltas = new WeakMap<ListSnapshot, { readonly before: ListSnapshot; readonly message: ListMessage }>();

  constructor(private readonly deflatedLists: Pick<DeflatedLists, 'torrents'>) {}

  /** `torrents:tick`: the whole list. */
  full(snapshot: ListSnapshot): ListMessage {
    const known = this.#full.get(snapshot);
    if (known) return known;
    const message: ListMessage = {
      type: 'torrents:tick',
      length: HEAD_BYTES.length + snapshot.byteLength + TAIL_BYTES.length,
      parts: () => [HEAD_BYTES, ...snapshot.json, TAIL_BYTES],
      deflated: async () => [DEFLATED_HEAD, ...(await this.deflatedLists.torrents(snapshot)), DEFLATED_TAIL],
    };
    this.#full.set(snapshot, message);
    return message;
  }

  /** `torrents:delta`: what is different from one snapshot of the account to the next. */
  delta(before: ListSnapshot, after: ListSnapshot): ListMessage {
    const known = this.#deltas.get(after);
    if (known?.before === before) return known.message;
    const { upsert, removed } = deltaBetween(before, after);
    const payload = `{"upsert":[${upsert.join(',')}],"removed":${JSON.stringify(removed)}}`;
    const message = messageOf('torrents:delta', `{"type":"torrents:delta","payload":${payload}}`);
    this.#deltas.set(after, { before, message });
    return message;
  }

  /** `stats:tick`: the totals of a list. */
  stats(totals: GlobalStats): ListMessage {
    return messageOf('stats:tick', JSON.stringify({ type: 'stats:tick', payload: totals }));
  }
}

function messageOf(type: ListMessage['type'], text: string): ListMessage {
  const bytes = Buffer.from(text);
  return { type, length: bytes.length, parts: () => [bytes] };
}
