// A peer of a bench that has all pieces, and blocks as the engine asks it for them.
import { block, frame } from '../../../support/frames.js';
import type { ScriptedPeer } from '../../../support/scripted-peer.js';
import type { TorrentBench } from './torrent-bench.js';

export const REQUEST = 6;
const HAVE_ALL = 14;
const UNCHOKE = 1;

export async function meetSeed(bench: TorrentBench): Promise<ScriptedPeer> {
  const seed = await bench.meet('10.0.0.8');
  seed.send(frame(HAVE_ALL), frame(UNCHOKE));
  await bench.clock.settle();
  return seed;
}

/** Answers what it is asked for, for so long. */
export async function serve(bench: TorrentBench, seed: ScriptedPeer, seconds: number): Promise<void> {
  let served = 0;
  for (let i = 0; i < seconds * 10; i++) {
    const requests = seed.frames.filter(({ id }) => id === REQUEST).slice(served);
    served += requests.length;
    for (const { payload } of requests) {
      const [piece, begin] = [payload.readUInt32BE(0), payload.readUInt32BE(4)];
      seed.send(block(piece, begin, bench.blockAt(piece, begin)));
    }
    await bench.clock.advance(100);
  }
}
