// The frames of the push channel. Whoever is sent the same shares the frame, its bytes and what they are deflated to;
// that is made when somebody is first about to be sent it.
import type { GlobalStats } from '../../shared-protocol/dto/torrents.js';
import type { DeflatedPart } from '../torrent-list/deflate/deflate-thread.js';
import { pieceOf, type DeflatedLists } from '../torrent-list/deflate/deflated-lists.js';
import { deltaBetween } from '../torrent-list/list-delta.js';
import type { ListSnapshot } from '../torrent-list/list-snapshot.js';
import { deflatedFrame, plainFrame } from './frame-bytes.js';
import { FrameMemory, SharedBytes, type HeldBytes } from './frame-memory.js';

export type FrameType = 'torrents:tick' | 'torrents:delta' | 'stats:tick' | 'inspector:tick' | 'update:available';

export interface Frame {
  readonly type: FrameType;
  /** Of the message, not deflated, in bytes. */
  readonly length: number;
  /** For the connection. */
  readonly plain: () => readonly Uint8Array[];
  /** For connections that take deflated ones. Rejects when it cannot be deflated now. null: it would not be worth it. */
  readonly deflated: (() => Promise<HeldBytes>) | null;
}

/** What a frame holds, made when somebody is sent it. */
interface Message {
  readonly plain: () => readonly Uint8Array[];
  /** Pieces of raw DEFLATE, each flushed. */
  readonly deflated: () => Promise<readonly DeflatedPart[]>;
}

/** Smaller ones cost more than they save. */
const MIN_DEFLATED_BYTES = 1024;
const HEAD = '{"type":"torrents:tick","payload":';
const TAIL = '}';
const [HEAD_BYTES, TAIL_BYTES] = [Buffer.from(HEAD), Buffer.from(TAIL)];
const [HEAD_PIECE, TAIL_PIECE] = [pieceOf(`${HEAD}[`), pieceOf(`]${TAIL}`)];

export class Frames {
  readonly #lists = new WeakMap<ListSnapshot, Frame>();
  readonly #deltas = new WeakMap<ListSnapshot, { readonly before: ListSnapshot; readonly frame: Frame }>();
  readonly #memory = new FrameMemory();

  constructor(private readonly deflated: DeflatedLists) {}

  /** Nobody is there who will be sent frames. */
  forgetMemory(): void {
    this.#memory.clear();
  }

  /** `torrents:tick`. */
  list(snapshot: ListSnapshot): Frame {
    const known = this.#lists.get(snapshot);
    if (known) return known;
    const length = HEAD_BYTES.length + snapshot.byteLength + TAIL_BYTES.length;
    const frame = this.#frame('torrents:tick', length, {
      plain: () => [HEAD_BYTES, ...snapshot.json, TAIL_BYTES],
      deflated: async () => [HEAD_PIECE, ...(await this.deflated.torrents(snapshot)), TAIL_PIECE],
    });
    this.#lists.set(snapshot, frame);
    return frame;
  }

  /** `torrents:delta`, from one snapshot of the account to the next. */
  delta(before: ListSnapshot, now: ListSnapshot): Frame {
    const known = this.#deltas.get(now);
    if (known?.before === before) return known.frame;
    const { upsert, removed } = deltaBetween(before, now);
    const payload = `{"upsert":[${upsert.join(',')}],"removed":${JSON.stringify(removed)}}`;
    const frame = this.of('torrents:delta', Buffer.from(`{"type":"torrents:delta","payload":${payload}}`));
    this.#deltas.set(now, { before, frame });
    return frame;
  }

  stats(totals: GlobalStats): Frame {
    return this.of('stats:tick', Buffer.from(JSON.stringify({ type: 'stats:tick', payload: totals })));
  }

  /** Of the whole message. */
  of(type: FrameType, bytes: Buffer): Frame {
    return this.#frame(type, bytes.length, {
      plain: () => [bytes],
      deflated: async () => [await this.deflated.of(bytes)],
    });
  }

  /** Parts that are the same as in a frame before are not deflated again. */
  ofParts(type: FrameType, parts: readonly Buffer[]): Frame {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    return this.#frame(type, length, { plain: () => parts, deflated: () => this.deflated.parts(parts) });
  }

  #frame(type: FrameType, length: number, message: Message): Frame {
    const memory = this.#memory;
    const deflated = new SharedBytes(memory, async () => deflatedFrame(await message.deflated(), memory));
    let plain: readonly Uint8Array[] | undefined;
    return {
      ...{ type, length, plain: () => (plain ??= plainFrame(message.plain(), length)) },
      deflated: length < MIN_DEFLATED_BYTES ? null : () => deflated.hold(),
    };
  }
}
