// Packets of the UDP tracker protocol (BEP 15) with its URL data option (BEP 41). Sans I/O: bytes in, outcomes out.
// All numbers are big-endian.
import type { InfoHash } from '../../shared-protocol/ids.js';
import { assertNever } from '../../shared-protocol/errors.js';
import type { AnnounceReply, AnnounceRequest, ScrapeFigures } from './client.js';
import { compactPeers, compactPeers6 } from './peer-list.js';
import { printableBytes } from './printable.js';
import type { AnnounceEvent } from './types.js';

/** BEP 15: "0x41727101980, magic constant". */
const PROTOCOL_ID = 0x41727101980n;
const ACTIONS = { connect: 0, announce: 1, scrape: 2, error: 3 } as const;
/** Action and transaction id; anything shorter is dropped. */
const HEADER_BYTES = 8;
const ANNOUNCE_BYTES = 98;
const ANNOUNCE_REPLY_BYTES = 20;
const SCRAPE_ENTRY_BYTES = 12;
/** BEP 41: option 2, a length byte, then that many bytes of path and query. */
const OPTION_URL_DATA = 2;
const OPTION_MAX_BYTES = 255;

export type UdpReply =
  | { readonly kind: 'connected'; readonly connectionId: bigint }
  | { readonly kind: 'announced'; readonly reply: AnnounceReply }
  | { readonly kind: 'scraped'; readonly files: ReadonlyMap<InfoHash, ScrapeFigures> }
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'invalid'; readonly reason: string };

/** The request that a reply must be an answer to. */
export type UdpExpectation =
  | { readonly kind: 'connect' }
  | { readonly kind: 'announce'; readonly family: 4 | 6 }
  | { readonly kind: 'scrape'; readonly infoHashes: readonly InfoHash[] };

export function encodeConnect(transactionId: number): Uint8Array {
  const packet = Buffer.alloc(16);
  packet.writeBigUInt64BE(PROTOCOL_ID, 0);
  packet.writeUInt32BE(ACTIONS.connect, 8);
  packet.writeUInt32BE(transactionId, 12);
  return packet;
}

export function encodeAnnounce(connectionId: bigint, transactionId: number, request: AnnounceRequest): Uint8Array {
  const { figures, identity } = request;
  const packet = Buffer.alloc(ANNOUNCE_BYTES);
  packet.writeBigUInt64BE(connectionId, 0);
  packet.writeUInt32BE(ACTIONS.announce, 8);
  packet.writeUInt32BE(transactionId, 12);
  packet.write(request.infoHash, 16, 20, 'hex');
  packet.write(identity.peerId, 36, 20, 'hex');
  packet.writeBigUInt64BE(counter(figures.downloaded), 56);
  packet.writeBigUInt64BE(counter(figures.left), 64);
  packet.writeBigUInt64BE(counter(figures.uploaded), 72);
  packet.writeUInt32BE(eventNumber(request.event), 80);
  // 84: IP address, 0 for the sender's.
  packet.writeUInt32BE(identity.key >>> 0, 88);
  packet.writeInt32BE(Math.min(Math.max(figures.numWant, 0), 0x7fff_ffff) | 0, 92);
  packet.writeUInt16BE(identity.port & 0xffff, 96);
  return Buffer.concat([packet, urlData(request.url)]);
}

export function encodeScrape(connectionId: bigint, transactionId: number, infoHashes: readonly InfoHash[]): Uint8Array {
  const packet = Buffer.alloc(16 + 20 * infoHashes.length);
  packet.writeBigUInt64BE(connectionId, 0);
  packet.writeUInt32BE(ACTIONS.scrape, 8);
  packet.writeUInt32BE(transactionId, 12);
  infoHashes.forEach((infoHash, i) => packet.write(infoHash, 16 + 20 * i, 20, 'hex'));
  return packet;
}

/** By which a reply finds its request; null for what is too short to be one. */
export function transactionIdOf(bytes: Uint8Array): number | null {
  return bytes.length < HEADER_BYTES ? null : view(bytes).readUInt32BE(4);
}

export function decodeReply(bytes: Uint8Array, expected: UdpExpectation): UdpReply {
  if (bytes.length < HEADER_BYTES) return { kind: 'invalid', reason: `${bytes.length} bytes` };
  const packet = view(bytes);
  const action = packet.readUInt32BE(0);
  if (action === ACTIONS.error) return { kind: 'error', message: printableBytes(packet.subarray(HEADER_BYTES)) };
  if (action !== ACTIONS[expected.kind]) return { kind: 'invalid', reason: `action ${action} for ${expected.kind}` };
  switch (expected.kind) {
    case 'connect':
      if (packet.length < 16) return { kind: 'invalid', reason: `connect reply of ${packet.length} bytes` };
      return { kind: 'connected', connectionId: packet.readBigUInt64BE(8) };
    case 'announce':
      if (packet.length < ANNOUNCE_REPLY_BYTES)
        return { kind: 'invalid', reason: `announce reply of ${packet.length} bytes` };
      return { kind: 'announced', reply: announceReply(packet, expected.family) };
    case 'scrape':
      return { kind: 'scraped', files: scrapeFiles(packet, expected.infoHashes) };
    default:
      return assertNever(expected);
  }
}

function announceReply(packet: Buffer, family: 4 | 6): AnnounceReply {
  const list = packet.subarray(ANNOUNCE_REPLY_BYTES);
  return {
    kind: 'answered',
    intervalSec: packet.readInt32BE(8),
    minIntervalSec: null,
    leechers: packet.readUInt32BE(12),
    seeds: packet.readUInt32BE(16),
    downloaded: null,
    peers: family === 4 ? compactPeers(list) : compactPeers6(list),
    trackerId: null,
    warning: null,
    externalIp: null,
  };
}

/** BEP 15: seeders, completed, leechers for each hash in the order asked; a short reply answers the first ones. */
function scrapeFiles(packet: Buffer, infoHashes: readonly InfoHash[]): ReadonlyMap<InfoHash, ScrapeFigures> {
  const files = new Map<InfoHash, ScrapeFigures>();
  infoHashes.forEach((infoHash, i) => {
    const at = HEADER_BYTES + SCRAPE_ENTRY_BYTES * i;
    if (at + SCRAPE_ENTRY_BYTES > packet.length) return;
    files.set(infoHash, {
      seeds: packet.readUInt32BE(at),
      downloaded: packet.readUInt32BE(at + 4),
      leechers: packet.readUInt32BE(at + 8),
    });
  });
  return files;
}

function eventNumber(event: AnnounceEvent): number {
  switch (event) {
    case 'none':
      return 0;
    case 'completed':
      return 1;
    case 'started':
      return 2;
    case 'stopped':
      return 3;
    default:
      return assertNever(event);
  }
}

/** BEP 41: path and query of the URL, in as many options as they need. */
function urlData(url: string): Uint8Array {
  const { pathname, search } = new URL(url);
  const data = Buffer.from(pathname === '/' && search === '' ? '' : pathname + search, 'latin1');
  const options: Uint8Array[] = [];
  for (let at = 0; at < data.length; at += OPTION_MAX_BYTES) {
    const part = data.subarray(at, at + OPTION_MAX_BYTES);
    options.push(Uint8Array.of(OPTION_URL_DATA, part.length), part);
  }
  return Buffer.concat(options);
}

function counter(bytes: number): bigint {
  return Number.isFinite(bytes) && bytes > 0 ? BigInt(Math.floor(bytes)) : 0n;
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
