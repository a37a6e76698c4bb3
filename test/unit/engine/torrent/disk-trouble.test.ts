// A torrent whose disk refuses writes: it serves what it has, waits for the disk, and loses nothing.
import t from 'tap';
import { TORRENT_FLAGS } from '../../../../shared-protocol/stats-table.js';
import type { ScriptedPeer } from '../../../support/scripted-peer.js';
import { meetSeed, REQUEST, serve } from './bench-seed.js';
import { PIECE_BYTES, TorrentBench } from './torrent-bench.js';

const INTERESTED = 2;
const NOT_INTERESTED = 3;

const interests = (seed: ScriptedPeer): number[] =>
  seed.frames.flatMap(({ id }) => (id === INTERESTED || id === NOT_INTERESTED ? [id] : []));

void t.test('full half-way: says why, asks for nothing, completes when there is room, without a check', async (t) => {
  const bench = await TorrentBench.start({ pieces: 16 });
  bench.disk.spaceLeftBytes = 6 * PIECE_BYTES;
  const seed = await meetSeed(bench);
  await serve(bench, seed, 3);
  t.equal(bench.torrent.activity, 'upload-only');
  t.match(bench.facts?.error, { code: 'DISK_FULL' });
  t.equal(bench.stats.bytesDone, 6 * PIECE_BYTES);
  t.same(interests(seed), [INTERESTED, NOT_INTERESTED]);
  const asked = seed.frames.filter(({ id }) => id === REQUEST).length;
  await bench.clock.advance(20_000);
  t.equal(seed.frames.filter(({ id }) => id === REQUEST).length, asked);
  bench.session.checkInvariant();

  bench.disk.spaceLeftBytes = Infinity;
  await bench.clock.advance(30_000);
  t.equal(bench.facts?.error, null);
  t.equal(bench.torrent.activity, 'downloading');
  await serve(bench, seed, 3);
  t.ok(bench.isComplete);
  t.notOk(bench.stats.flags & TORRENT_FLAGS.verifying);
  t.same(Buffer.from(bench.disk.content('/save/payload')!), Buffer.from(bench.made.payload));
  await bench.stop();
});

void t.test('a resume tries at once; who is paused meanwhile stays paused', async (t) => {
  const bench = await TorrentBench.start({ pieces: 8 });
  bench.disk.spaceLeftBytes = 0;
  const seed = await meetSeed(bench);
  await serve(bench, seed, 1);
  await bench.torrent.setPaused(true);
  await bench.clock.advance(60_000);
  t.match(bench.facts?.error, { code: 'DISK_FULL' });
  bench.disk.spaceLeftBytes = Infinity;
  await bench.torrent.setPaused(false);
  t.equal(bench.torrent.activity, 'downloading');
  t.equal(bench.facts?.error, null);

  await bench.torrent.setPaused(true);
  await bench.clock.advance(60_000);
  t.equal(bench.torrent.activity, 'stopped');
  await bench.stop();
});

void t.test('a torrent that is removed is not woken', async (t) => {
  const bench = await TorrentBench.start({ pieces: 8 });
  bench.disk.spaceLeftBytes = 0;
  const seed = await meetSeed(bench);
  await serve(bench, seed, 1);
  t.match(bench.facts?.error, { code: 'DISK_FULL' });
  const { torrent } = bench;
  await bench.session.remove(torrent.id, true);
  bench.disk.spaceLeftBytes = Infinity;
  await bench.clock.advance(60_000);
  t.equal(torrent.activity, 'stopped');
  t.same(bench.disk.paths, []);
  await bench.stop();
});
