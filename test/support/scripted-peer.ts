// The other end of a connection, as raw as it gets: the test decides every byte it sends; what it receives is cut
// into frames by BEP 3 alone.
import bencode from 'bencode';
import type { PeerSocket } from '../../engine/environment.js';

export interface ReceivedFrame {
  /** -1: keep-alive. */
  readonly id: number;
  readonly payload: Buffer;
}

export class ScriptedPeer {
  closed: string | null = null;
  #received = Buffer.alloc(0);

  constructor(readonly socket: PeerSocket) {
    socket.setHandler({
      onConnect: () => undefined,
      onData: (bytes) => (this.#received = Buffer.concat([this.#received, bytes])),
      onDrain: () => undefined,
      onClose: (reason) => (this.closed = reason),
    });
  }

  send(...bytes: readonly Uint8Array[]): void {
    for (const part of bytes) this.socket.write(part);
  }

  /** The 68 bytes with which the other side introduced itself. */
  get handshake(): Buffer {
    return this.#received.subarray(0, 68);
  }

  /** Whole frames received behind the handshake. */
  get frames(): ReceivedFrame[] {
    const frames: ReceivedFrame[] = [];
    const bytes = this.#received;
    for (let at = 68; at + 4 <= bytes.length;) {
      const length = bytes.readUInt32BE(at);
      if (at + 4 + length > bytes.length) break;
      frames.push(
        length === 0
          ? { id: -1, payload: Buffer.alloc(0) }
          : { id: bytes[at + 4] ?? -1, payload: bytes.subarray(at + 5, at + 4 + length) },
      );
      at += 4 + length;
    }
    return frames;
  }

  /** The first extended handshake received (BEP 10), decoded. */
  get extendedHandshake(): unknown {
    const frame = this.frames.find(({ id, payload }) => id === 20 && payload[0] === 0);
    return frame ? bencode.decode(frame.payload.subarray(1)) : null;
  }
}

/** Lets microtasks run out, and what they start. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise<void>((resolve) => void setImmediate(resolve));
}
