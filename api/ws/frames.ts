// The frames of the push channel. All connections that are sent the same message share the frame, its bytes and what they
// are deflated to; that is made when a connection is first about to be sent it.
import { plainPart, type Deflate, type DeflatedPart } from '../torrent-list/deflate/deflated-part.js';
import { DeflatedParts } from './deflated-parts.js';
import { deflatedFrame, plainFrame } from './frame-bytes.js';
import { FrameMemory, SharedBytes, type HeldBytes } from './frame-memory.js';

/** The kinds of messages (docs/api.md, WebSocket). */
export type FrameType =
  | 'torrents:tick'
  | 'torrents:delta'
  | 'stats:tick'
  | 'inspector:tick'
  | 'update:available'
  | 'notices:changed'
  | 'servers:tick';

/** A message of the push channel before it is framed. */
export interface Message {
  readonly type: FrameType;
  /** Bytes of all its parts. */
  readonly length: number;
  readonly parts: () => readonly Uint8Array[];
  /** The parts in DEFLATE, where they are known in it. Rejects when they cannot be deflated at the moment. */
  readonly deflated?: () => Promise<readonly DeflatedPart[]>;
}

/** A message as connections take it. */
export interface Frame {
  readonly type: FrameType;
  /** Bytes of the message before it is deflated. */
  readonly length: number;
  /** The frame, for connections that take no deflated ones. */
  readonly plain: () => readonly Uint8Array[];
  /** The frame, for the others. Rejects when it cannot be deflated at the moment. null: it would not be worth it. */
  readonly deflated: (() => Promise<HeldBytes>) | null;
}

/** Smaller ones cost more than they save. */
const MIN_DEFLATED_BYTES = 1024;

/** Makes frames, one for each message, and owns the memory of the deflated ones. */
export class Frames {
  readonly #frames = new WeakMap<Message, Frame>();
  readonly #memory = new FrameMemory();
  readonly #deflatedParts: DeflatedParts;

  constructor(private readonly thread: Deflate) {
    this.#deflatedParts = new DeflatedParts(thread);
  }

  /** Gives memory back, when there is no connection to be sent frames. */
  forgetMemory(): void {
    this.#memory.clear();
  }

  /** The frame of a message: the same one for the same message. */
  of(message: Message): Frame {
    const known = this.#frames.get(message);
    if (known) return known;
    const deflate = () => this.thread.deflate(message.parts().map(plainPart));
    const frame = this.#frame(message, message.deflated ?? deflate);
    this.#frames.set(message, frame);
    return frame;
  }

  /** A frame of parts that may have been in frames before: those are not deflated again. */
  ofParts(type: FrameType, parts: readonly Buffer[]): Frame {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    return this.#frame({ type, length, parts: () => parts }, () => this.#deflatedParts.of(parts));
  }

  #frame({ type, length, parts }: Message, deflate: () => Promise<readonly DeflatedPart[]>): Frame {
    const memory = this.#memory;
    const deflated = new SharedBytes(memory, async () => deflatedFrame(await deflate(), memory));
    let plain: readonly Uint8Array[] | undefined;
    return {
      ...{ type, length, plain: () => (plain ??= plainFrame(parts(), length)) },
      deflated: length < MIN_DEFLATED_BYTES ? null : () => deflated.hold(),
    };
  }
}

/** A message of one part. */
export function messageOf(type: FrameType, bytes: Buffer): Message {
  return { type, length: bytes.length, parts: () => [bytes] };
}
