// An honest seed over a bare socket that serves as many blocks as it has been allowed to and holds back the rest, so
// that a test decides how far a download has come.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Payload } from './payload.js';
import { frame, fullBitfield, handshake, ID, pieceMessage, RawPeer } from './raw-peer.js';

export interface ScriptedSeed {
  /** Blocks sent so far. */
  readonly sent: number;
  readonly isClosed: boolean;
  /** Serves that many blocks more; Infinity lifts the limit. */
  allow(blocks: number): void;
  destroy(): void;
}

/** Connects to a peer listener on 127.0.0.1. `allowed`: blocks that it serves without being told. */
export async function connectSeed(payload: Payload, port: number, allowed: number): Promise<ScriptedSeed> {
  return seedContent({ ...payload, bytes: await contentOf(payload) }, port, allowed);
}

/** The same for a torrent that is nowhere on disk. */
export async function seedContent(
  { bytes, infoHash, pieceLength }: { readonly bytes: Uint8Array } & Pick<Payload, 'infoHash' | 'pieceLength'>,
  port: number,
  allowed: number,
): Promise<ScriptedSeed> {
  const pieceCount = Math.ceil(bytes.length / pieceLength);
  const waiting: (readonly [piece: number, begin: number, length: number])[] = [];
  let left = allowed;
  let sent = 0;
  const serve = (): void => {
    while (left > 0 && waiting.length > 0) {
      const [piece, begin, length] = waiting.shift()!;
      const start = piece * pieceLength + begin;
      peer.send(pieceMessage(piece, begin, bytes.subarray(start, start + length)));
      left--;
      sent++;
    }
  };
  const peer = await RawPeer.connect(port, {
    onMessage({ id, payload: fields }) {
      if (id !== ID.request) return;
      waiting.push([fields.readUInt32BE(0), fields.readUInt32BE(4), fields.readUInt32BE(8)]);
      serve();
    },
  });
  peer.send(handshake(infoHash), fullBitfield(pieceCount), frame(ID.unchoke));
  return {
    get sent() {
      return sent;
    },
    get isClosed() {
      return peer.isClosed;
    },
    allow(blocks) {
      left += blocks;
      serve();
    },
    destroy: () => peer.destroy(),
  };
}

/** All files behind one another: what the pieces cover. */
export async function contentOf(payload: Payload): Promise<Buffer> {
  const files = Object.keys(payload.digests).map((path) => readFile(join(payload.directory, payload.name, path)));
  return Buffer.concat(await Promise.all(files));
}
