// Peers that come to a seed from many addresses: most shake hands and trickle for a while, some say half a handshake or
// garbage, and all vanish without a word.
import { setTimeout as sleep } from 'node:timers/promises';
import { NOISE } from '../support/peers/attacks.js';
import { extended, frame, handshake, ID, RawPeer, request, uint32 } from '../support/peers/raw-peer.js';

const STAY_MS = 300;
const HANDSHAKE_BYTES = 68;
/** A torrent remembers thousands of addresses; these few are known after the warm-up. */
const ADDRESSES = 100;

export interface Visited {
  readonly peerPort: number;
  readonly infoHash: string;
  readonly pieceCount: number;
}

/** `number` chooses how it behaves and where it comes from. */
export async function churnPeer({ peerPort, infoHash, pieceCount }: Visited, number: number): Promise<void> {
  const peer = await RawPeer.connect(peerPort, { localAddress: `127.5.0.${1 + (number % ADDRESSES)}` });
  const hello = handshake(infoHash, { fast: true, extended: true });
  switch (number % 5) {
    case 0:
      peer.send(hello.subarray(0, HANDSHAKE_BYTES / 2));
      break;
    case 1:
      peer.send(NOISE);
      break;
    case 2:
      peer.send(hello, NOISE);
      break;
    default:
      peer.send(hello, extended('d1:md11:ut_metadatai2e6:ut_pexi1ee1:pi7000e4:reqqi250e1:v4:Soake'));
      peer.send(frame(ID.haveNone), frame(ID.interested));
      for (let piece = 0; piece < pieceCount && !peer.isClosed; piece++) {
        peer.send(frame(ID.have, uint32(piece)), request((piece + number) % pieceCount, 0));
        await sleep(STAY_MS / pieceCount);
      }
  }
  await sleep(STAY_MS);
  peer.destroy();
}
