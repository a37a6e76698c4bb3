// Connections that no front has shown itself on yet: so many at a time, and for one too many another goes, the oldest of the source that
// has the most. So whoever holds all of them keeps a front out no longer than it takes to come.
import { isIP, type Socket } from 'node:net';
import { IPV6_WORDS, mappedIpv4, parseIpv6 } from '../shared-protocol/ip-address.js';

export const MAX_HANDSHAKES = 64;

interface Handshake {
  readonly source: string;
  readonly port: number | undefined;
}

export class Handshakes {
  /** Oldest first. */
  readonly #open = new Map<Socket, Handshake>();

  get size(): number {
    return this.#open.size;
  }

  /** A new one, before anything was read. */
  began(socket: Socket): void {
    const { remoteAddress = '', remotePort } = socket;
    this.#open.set(socket, { source: sourceOf(remoteAddress), port: remotePort });
    socket.once('close', () => this.#open.delete(socket));
    if (this.#open.size > MAX_HANDSHAKES) this.#endOne();
  }

  /** A front was admitted. `socket`: the one that began, or that of TLS over it. */
  ended(socket: Socket): void {
    if (this.#open.delete(socket) || socket.remotePort === undefined) return;
    const source = sourceOf(socket.remoteAddress ?? '');
    for (const [raw, begun] of this.#open) {
      if (begun.port === socket.remotePort && begun.source === source) this.#open.delete(raw);
    }
  }

  #endOne(): void {
    const counts = new Map<string, number>();
    for (const { source } of this.#open.values()) counts.set(source, (counts.get(source) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const [oldest] = [...this.#open].find(([, { source }]) => counts.get(source) === most) ?? [];
    if (!oldest) return;
    this.#open.delete(oldest);
    oldest.destroy();
  }
}

/** An IPv4 address, also one that is mapped, the /64 of an IPv6 one; of a Unix socket all are one. */
function sourceOf(address: string): string {
  const words = new Uint32Array(IPV6_WORDS);
  if (isIP(address) !== 6 || !parseIpv6(address, words)) return address;
  const mapped = mappedIpv4(words);
  return mapped < 0 ? `${words[0]} ${words[1]}` : `mapped ${mapped}`;
}
