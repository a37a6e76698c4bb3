// A UDP tracker on loopback that really tracks (BEP 15): connection ids, announces and scrapes. Written from the
// BEP, not from our codec, so that the two check each other. Tests may script it with `respond`.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { randomBytes } from 'node:crypto';
import { Swarms, type SeenAnnounce } from './swarms.js';

export interface UdpTracker {
  readonly announceUrl: string;
  readonly port: number;
  readonly announces: readonly SeenAnnounce[];
  /** Every packet that arrived. */
  readonly packets: readonly Buffer[];
  /** BEP 41 path and query of each announce. */
  readonly urlData: readonly string[];
  close(): Promise<void>;
}

export interface UdpTrackerOptions {
  /** @default 1800 */
  readonly intervalSec?: number;
  /** @default 127.0.0.1, any port */
  readonly at?: { readonly host: string; readonly port: number };
  /** Answers instead of the tracker; false leaves the packet to it. */
  readonly respond?: (packet: Buffer, from: RemoteInfo, socket: Socket) => boolean;
}

const EVENTS = ['none', 'completed', 'started', 'stopped'];

export async function startUdpTracker(options: UdpTrackerOptions = {}): Promise<UdpTracker> {
  const { host, port: wanted } = options.at ?? { host: '127.0.0.1', port: 0 };
  const swarms = new Swarms();
  const packets: Buffer[] = [];
  const urlData: string[] = [];
  const connectionIds = new Set<string>();
  const socket = createSocket('udp4');
  socket.on('message', (packet, from) => {
    packets.push(packet);
    if (options.respond?.(packet, from, socket) || packet.length < 16) return;
    socket.send(reply(packet, from), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(wanted, host, resolve));
  const { port } = socket.address();

  function reply(packet: Buffer, from: RemoteInfo): Buffer {
    const action = packet.readUInt32BE(8);
    const transactionId = packet.subarray(12, 16);
    const connectionId = packet.subarray(0, 8);
    if (action === 0) {
      if (connectionId.toString('hex') !== '0000041727101980') return error(transactionId, 'not BEP 15');
      const id = randomBytes(8);
      connectionIds.add(id.toString('hex'));
      return Buffer.concat([int32(0), transactionId, id]);
    }
    if (!connectionIds.has(connectionId.toString('hex'))) return error(transactionId, 'connection id unknown');
    if (action === 1 && packet.length >= 98) return announce(packet, transactionId, from);
    if (action === 2) return scrape(packet, transactionId);
    return error(transactionId, 'action unknown');
  }

  function announce(packet: Buffer, transactionId: Buffer, from: RemoteInfo): Buffer {
    urlData.push(readUrlData(packet.subarray(98)));
    const seen = swarms.announce({
      infoHash: packet.toString('hex', 16, 36),
      peerId: packet.toString('hex', 36, 56),
      downloaded: Number(packet.readBigInt64BE(56)),
      left: Number(packet.readBigInt64BE(64)),
      uploaded: Number(packet.readBigInt64BE(72)),
      event: EVENTS[packet.readUInt32BE(80)] ?? 'unknown',
      key: packet.toString('hex', 88, 92),
      numWant: packet.readInt32BE(92),
      ip: from.address,
      port: packet.readUInt16BE(96),
    });
    const head = [options.intervalSec ?? 1800, seen.leechers, seen.seeds].map(int32);
    return Buffer.concat([int32(1), transactionId, ...head, seen.compactPeers]);
  }

  function scrape(packet: Buffer, transactionId: Buffer): Buffer {
    const entries: Buffer[] = [];
    for (let at = 16; at + 20 <= packet.length; at += 20) {
      const figures = swarms.scrape(packet.toString('hex', at, at + 20));
      entries.push(int32(figures?.seeds ?? 0), int32(figures?.downloaded ?? 0), int32(figures?.leechers ?? 0));
    }
    return Buffer.concat([int32(2), transactionId, ...entries]);
  }

  return {
    announceUrl: `udp://${host}:${port}/announce`,
    port,
    announces: swarms.announces,
    packets,
    urlData,
    close: () => new Promise((resolve) => void socket.close(() => resolve())),
  };
}

function readUrlData(options: Buffer): string {
  let text = '';
  for (let at = 0; at + 2 <= options.length && options[at] === 2; at += 2 + options[at + 1]!) {
    text += options.toString('latin1', at + 2, at + 2 + options[at + 1]!);
  }
  return text;
}

function error(transactionId: Buffer, message: string): Buffer {
  return Buffer.concat([int32(3), transactionId, Buffer.from(message)]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
