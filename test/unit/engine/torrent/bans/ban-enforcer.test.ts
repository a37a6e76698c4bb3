// What a verdict does: connections cut in every torrent, bans for the session, and nobody else harmed.
import t from 'tap';
import { parseAccountId, type TorrentId } from '../../../../../shared-protocol/ids.js';
import type { MadeTorrent } from '../../../../support/make-torrent.js';
import { ScriptedSwarmPeer, type SwarmPeerOptions } from '../../../../support/peers-scripted-swarm.js';
import { Bench, PIECE, torrent } from '../../session/engine-bench.js';

const ENGINE = { host: '10.0.0.1', port: 6881 };
const RATE = 100_000;

/** Gives nothing unless told to. */
function meet(bench: Bench, made: MadeTorrent, options: Omit<SwarmPeerOptions, 'has'>): ScriptedSwarmPeer {
  const { clock, network } = bench;
  const { infoHash, payload } = made;
  return new ScriptedSwarmPeer(
    { clock, network, infoHash, payload, pieceLength: PIECE },
    { ...options, has: 'everything' },
    ENGINE,
  );
}

const wrong = (): { answer: NonNullable<SwarmPeerOptions['answer']> } => ({
  answer: (_block, right) => right.map((byte) => byte ^ 1),
});

async function twoTorrents(): Promise<{ bench: Bench; made: readonly [MadeTorrent, MadeTorrent] }> {
  const bench = new Bench();
  await bench.start();
  const made = [torrent(1), torrent(2)] as const;
  for (const { torrentBytes } of made) await bench.add(torrentBytes);
  await bench.clock.advance(100);
  return { bench, made };
}

void t.test('a ban cuts the offender off in every torrent, under whatever id', async (t) => {
  const { bench, made } = await twoTorrents();
  const elsewhere = meet(bench, made[1], { host: '198.51.100.7', name: 'elsewhere' });
  const bystander = meet(bench, made[1], { host: '198.51.100.8' });
  await bench.clock.advance(1_000);
  t.equal(elsewhere.closed, null);
  const offender = meet(bench, made[0], { host: '198.51.100.7', giveBytesPerSec: RATE, ...wrong() });
  await bench.clock.advance(3_000);
  t.not(offender.closed, null);
  t.not(elsewhere.closed, null);
  t.equal(bystander.closed, null);
  t.match(await bench.engine.health({}), { bans: 1, failedPieces: 1, wastedBytes: PIECE });
  const again = meet(bench, made[1], { host: '198.51.100.7', name: 'again' });
  await bench.clock.advance(100);
  t.not(again.closed, null);
  await bench.stop();
});

void t.test('what a torrent has wasted is told of it alone, and to nobody whose share is paused', async (t) => {
  const { bench, made } = await twoTorrents();
  meet(bench, made[0], { host: '198.51.100.7', giveBytesPerSec: RATE, ...wrong() });
  await bench.clock.advance(3_000);
  const [id, unspoilt] = [...bench.facts.keys()] as [TorrentId, TorrentId];
  const waste = async (of: TorrentId, by?: number) => {
    const asked = { id: of, parts: ['waste'] as const, ...(by === undefined ? {} : { by: parseAccountId(by) }) };
    return (await bench.engine.inspectTorrent(asked)).waste;
  };
  const nothing = { failedPieces: 0, failedBytes: 0, redundantBytes: 0 };
  t.match(await waste(id), { failedPieces: 1, failedBytes: PIECE });
  t.same(await waste(unspoilt), nothing);
  const source = { kind: 'metainfo', bytes: made[0].torrentBytes } as const;
  await bench.engine.joinTorrent({ source, savePath: '/save', ownerId: parseAccountId(9), paused: true });
  t.same(await waste(id, 9), nothing);
  t.match(await waste(id, 1), { failedPieces: 1 });
  await bench.stop();
});

void t.test('at a local address only the peer id is cut off', async (t) => {
  const { bench, made } = await twoTorrents();
  const same = meet(bench, made[1], { host: '192.168.0.7' });
  const other = meet(bench, made[1], { host: '192.168.0.7', name: 'other' });
  const offender = meet(bench, made[0], { host: '192.168.0.7', giveBytesPerSec: RATE, ...wrong() });
  await bench.clock.advance(3_000);
  t.not(offender.closed, null);
  t.not(same.closed, null);
  t.equal(other.closed, null);
  await bench.stop();
});

void t.test('who has a part in a failure is found out when the piece passes, even if it has gone', async (t) => {
  const bench = new Bench();
  await bench.start();
  const made = torrent(1);
  const { id } = await bench.add(made.torrentBytes);
  await bench.clock.advance(100);
  const asked: number[] = [];
  // It sends one block of two and goes.
  const liar = meet(bench, made, {
    host: '198.51.100.7',
    giveBytesPerSec: RATE,
    ...wrong(),
    onAsked: ({ piece }) => asked.push(piece),
    onGiven: () => bench.clock.after(50, () => liar.leave()),
  });
  await bench.clock.advance(2_000);
  t.not(liar.closed, null);
  const honest = meet(bench, made, { host: '198.51.100.8', giveBytesPerSec: 10 * RATE });
  await bench.clock.advance(10_000);
  t.ok(isComplete(bench, id));
  t.ok(asked.length > 0);
  t.match(await bench.engine.health({}), { bans: 1, failedPieces: 1 });
  t.ok(honest.givenBytes >= made.payload.length, 'the honest one gave what the other spoilt');
  const again = meet(bench, made, { host: '198.51.100.7', name: 'again' });
  await bench.clock.advance(100);
  t.not(again.closed, null);
  await bench.stop();
});

void t.test('the piece that failed is fetched again from one alone, who had no part in it', async (t) => {
  const bench = new Bench();
  await bench.start();
  const made = torrent(1);
  const { id } = await bench.add(made.torrentBytes);
  await bench.clock.advance(100);
  let failed = -1;
  const liar = meet(bench, made, {
    host: '198.51.100.7',
    giveBytesPerSec: RATE,
    ...wrong(),
    onGiven: ({ piece }) => {
      failed = piece;
      bench.clock.after(50, () => liar.leave());
    },
  });
  await bench.clock.advance(1_000);
  const asked = { partaker: 0, other: 0 };
  const count = (who: keyof typeof asked) => ({
    giveBytesPerSec: 10 * RATE,
    onAsked: ({ piece }: { readonly piece: number }) => {
      if (piece === failed) asked[who]++;
    },
  });
  meet(bench, made, { host: '198.51.100.8', ...count('partaker') });
  await bench.clock.advance(10);
  meet(bench, made, { host: '198.51.100.9', ...count('other') });
  await bench.clock.advance(10_000);
  t.ok(isComplete(bench, id));
  t.match(await bench.engine.health({}), { failedPieces: 1 });
  t.same(asked, { partaker: 1, other: 2 });
  await bench.stop();
});

function isComplete(bench: Bench, id: TorrentId): boolean {
  return bench.hasFlag(id, 'completed');
}
