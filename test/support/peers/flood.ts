// Attackers by the hundred: bare sockets from many loopback addresses that send bytes, count what comes, and keep
// nothing of it.
import { connect, type Socket } from 'node:net';
import { frame, handshake, ID } from './raw-peer.js';
import { waitUntil } from './wait-until.js';

const HANDSHAKE_BYTES = 68;
const TIMEOUT_MS = 20_000;
/** Connections begun at once: listeners have a backlog. */
const BATCH = 100;

export class Attacker {
  receivedBytes = 0;
  isClosed = false;

  private constructor(readonly socket: Socket) {
    socket.setNoDelay(true);
    socket.on('data', (bytes) => (this.receivedBytes += bytes.length));
    // Being cut off is what they are here for.
    socket.on('error', () => undefined);
    socket.once('close', () => (this.isClosed = true));
  }

  /** Each from an address of its own in 127.`network`.0.0/16. */
  static async connectAll(port: number, count: number, network: number): Promise<Attacker[]> {
    const attackers: Attacker[] = [];
    while (attackers.length < count) {
      const begun = Array.from({ length: Math.min(BATCH, count - attackers.length) }, (_, i) => {
        const number = attackers.length + i;
        const localAddress = `127.${network}.${number >> 8}.${number & 255 || 1}`;
        return new Attacker(connect({ host: '127.0.0.1', port, localAddress }));
      });
      await Promise.all(begun.map((attacker) => attacker.#connected()));
      attackers.push(...begun);
    }
    return attackers;
  }

  /** Shakes hands, and says that it is interested. */
  async greet(infoHash: string): Promise<void> {
    this.send(handshake(infoHash), frame(ID.interested));
    await this.receive(HANDSHAKE_BYTES);
  }

  /** At least so many bytes from the first on; or its end. */
  async receive(bytes: number): Promise<void> {
    await waitUntil('received', TIMEOUT_MS, () => this.isClosed || this.receivedBytes >= bytes || undefined);
  }

  send(...parts: readonly Uint8Array[]): void {
    if (!this.socket.destroyed) this.socket.write(Buffer.concat(parts));
  }

  /** Reads nothing any more. */
  deafen(): void {
    this.socket.pause();
  }

  /** Reads again. */
  listen(): void {
    this.socket.resume();
  }

  leave(): void {
    this.socket.destroy();
  }

  #connected(): Promise<void> {
    return new Promise((resolve) => {
      this.socket.once('connect', resolve).once('close', () => resolve());
    });
  }
}
