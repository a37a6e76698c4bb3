// Requests of one peer as they are judged (docs/limits.md 2.11): what is refused is told in one write for each read,
// and who goes on and on is closed.
import t from 'tap';
import { parseInfoHash } from '../../../../../shared-protocol/ids.js';
import { Bitfield } from '../../../../../engine/torrent/pieces/bitfield.js';
import type { Peer } from '../../../../../engine/torrent/peer/peer.js';
import { Upload } from '../../../../../engine/torrent/upload/upload.js';
import { FrameBufferPool } from '../../../../../engine/wire/frame-buffers.js';
import { cancel, frame, request } from '../../../../support/frames.js';
import { peerWith } from '../scripted-swarm-peer.js';
import { BLOCK_BYTES, PIECE_BYTES, piecesIn, TorrentBench } from '../torrent-bench.js';

const [INTERESTED, REJECT, PIECE] = [2, 16, 7];
const PIECES = 4_096;

/** An upload whose disk never answers, of a torrent that is there as a whole. */
class Desk {
  nowMs = 10_000;
  mayUpload = true;
  readonly upload: Upload;
  readonly peer: Peer = peerWith();

  constructor() {
    const have = new Bitfield(PIECES);
    have.fill();
    this.upload = new Upload({
      infoHash: parseInfoHash('ab'.repeat(20)),
      geometry: { pieceCount: PIECES, pieceLength: PIECE_BYTES, totalBytes: PIECES * PIECE_BYTES },
      storage: { read: () => new Promise<void>(() => undefined) },
      have,
      isProven: () => true,
      mayUpload: () => this.mayUpload,
      buffers: new FrameBufferPool(2 ** 30),
      nowMs: () => this.nowMs,
      onUploaded: () => undefined,
      onReadFailed: () => undefined,
    });
  }

  /** One block after another, as one read brings them; false once the connection is closed. */
  ask(count: number, first = 0): boolean {
    for (let i = first; i < first + count; i++) {
      this.upload.onRequest(this.peer, Math.floor(i / 2), (i % 2) * BLOCK_BYTES, BLOCK_BYTES);
    }
    this.upload.pump(this.peer);
    return !this.peer.connection.closed;
  }
}

void t.test('who asks for nothing that it may have costs no queue', async (t) => {
  const desk = new Desk();
  t.ok(desk.ask(1), 'choked: refused');
  t.equal(desk.peer.upload, null);
  desk.upload.setChoked(desk.peer, false);
  desk.upload.onRequest(desk.peer, PIECES, 0, BLOCK_BYTES);
  t.equal(desk.peer.upload, null, 'no such piece');
  desk.ask(1);
  t.ok(desk.peer.upload);
});

void t.test('an account that may not upload: requests are refused at once, and held against nobody', async (t) => {
  const desk = new Desk();
  desk.upload.setChoked(desk.peer, false);
  desk.mayUpload = false;
  desk.upload.onRequest(desk.peer, 0, 0, BLOCK_BYTES);
  t.equal(desk.peer.rejects.length, 1, 'a slot that is not taken away yet');
  t.ok(desk.ask(2_500, 1));
  t.equal(desk.peer.upload, null);
  desk.mayUpload = true;
  desk.upload.onRequest(desk.peer, 0, 0, BLOCK_BYTES);
  t.equal(desk.peer.upload?.length, 1);
});

void t.test('2,000 requests wait, 300 more are refused, then it is closed', async (t) => {
  const desk = new Desk();
  desk.upload.setChoked(desk.peer, false);
  const [readAtOnce, whole] = [2, 2_000];
  t.ok(desk.ask(readAtOnce));
  t.equal(desk.peer.upload?.length, 0, 'being read');
  t.ok(desk.ask(whole + 300, readAtOnce));
  t.equal(desk.peer.upload?.length, 2_000);
  t.notOk(desk.ask(1, 5_000));
});

void t.test('the same requests over and over: two for each block, beyond a queue full a minute', async (t) => {
  const desk = new Desk();
  desk.upload.setChoked(desk.peer, false);
  t.ok(desk.ask(1_002));
  t.ok(desk.ask(1_000, 2));
  t.ok(desk.ask(1_000, 2));
  t.ok(desk.ask(300, 2), 'invalid from here on');
  t.notOk(desk.ask(1, 2));
});

void t.test('asked and taken back: the same, and a minute later again', async (t) => {
  const desk = new Desk();
  desk.upload.setChoked(desk.peer, false);
  desk.ask(2);
  const askAndCancel = (count: number): boolean => {
    for (let i = 0; i < count; i++) {
      desk.upload.onRequest(desk.peer, 7, 0, BLOCK_BYTES);
      desk.upload.onCancel(desk.peer, 7, 0, BLOCK_BYTES);
      desk.upload.onCancel(desk.peer, 7, 0, BLOCK_BYTES);
    }
    desk.upload.pump(desk.peer);
    return !desk.peer.connection.closed;
  };
  t.ok(askAndCancel(2_000));
  desk.nowMs += 60_000;
  t.ok(askAndCancel(2_300));
  t.equal(desk.peer.upload?.length, 0);
  t.notOk(askAndCancel(1));
});

void t.test('after a choke: two seconds, then no more than 300', async (t) => {
  const desk = new Desk();
  desk.upload.setChoked(desk.peer, false);
  desk.upload.setChoked(desk.peer, true);
  // The choke has left for the peer.
  await Promise.resolve();
  await new Promise<void>((resolve) => void setImmediate(resolve));
  desk.nowMs += 2_000;
  t.ok(desk.ask(4_000), 'these crossed it');
  desk.nowMs += 1;
  t.ok(desk.ask(300));
  t.notOk(desk.ask(1));
});

void t.test('a seed, and peers that it does not serve', async (t) => {
  const bench = await TorrentBench.start({ has: 'all' });
  const [peer, other] = [await bench.meet('10.0.0.7'), await bench.meet('10.0.0.8')];
  peer.send(...Array.from({ length: 300 }, () => request(4, 0, BLOCK_BYTES)));
  await bench.clock.settle();
  t.same([piecesIn(peer, REJECT).length, peer.closed], [300, null], 'each is answered');
  peer.send(request(4, 0, BLOCK_BYTES));
  await bench.clock.settle();
  t.equal(peer.closed, '');
  other.send(frame(INTERESTED));
  await bench.clock.advance(1_000);
  other.send(request(3, 0, BLOCK_BYTES), cancel(5, 0, BLOCK_BYTES));
  await bench.clock.settle();
  t.same([piecesIn(other, PIECE), other.closed], [[3], null], 'whoever holds a slot is');
  await bench.stop();
});

void t.test('whoever asks and reads nothing may be slow for minutes, not for ever', async (t) => {
  const bench = await TorrentBench.start({ has: 'all', pieces: 16 });
  const peer = await bench.meet('10.0.0.7');
  peer.send(frame(INTERESTED));
  await bench.clock.advance(1_000);
  // Its window takes 256 KiB.
  peer.socket.pauseReading();
  for (let piece = 0; piece < 16; piece++) {
    peer.send(request(piece, 0, BLOCK_BYTES), request(piece, BLOCK_BYTES, BLOCK_BYTES));
  }
  await bench.clock.settle();
  const keepOn = async (seconds: number): Promise<void> => {
    for (let at = 0; at < seconds; at += 30) {
      peer.send(Buffer.alloc(4));
      await bench.clock.advance(30_000);
    }
  };
  await keepOn(270);
  t.equal(bench.peers.length, 1, 'a slow line may take its time');
  await keepOn(60);
  t.equal(bench.peers.length, 0, 'but not for ever');
  await bench.stop();
});
