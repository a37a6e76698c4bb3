// The rules of docs/semantics.md section 5 that are about one torrent's flags, each by its words there, in virtual
// time.
import t from 'tap';
import { Bench, PIECE, torrent } from './engine-bench.js';

const HASH = 'ab'.repeat(20);

/** Checks wait until they are let go. */
function heldChecks(bench: Bench) {
  let release = () => {};
  let runs = 0;
  const held = new Promise<void>((resolve) => (release = resolve));
  const hashPieces = bench.disk.hasher.hashPieces.bind(bench.disk.hasher);
  bench.disk.hasher.hashPieces = async (pieces) => {
    runs++;
    await held;
    return hashPieces(pieces);
  };
  return {
    get runs() {
      return runs;
    },
    release: async () => {
      release();
      await bench.clock.advance(100);
    },
  };
}

async function completeTorrent() {
  const bench = new Bench();
  await bench.start();
  const { id } = await bench.addComplete(torrent(1), 'payload-1');
  const flags = () => ({
    completed: bench.hasFlag(id, 'completed'),
    verifying: bench.hasFlag(id, 'verifying'),
    paused: bench.hasFlag(id, 'paused'),
  });
  return { bench, id, flags };
}

void t.test('completed is unchanged while verifying, and falls with what the check finds', async (t) => {
  const { bench, id, flags } = await completeTorrent();
  bench.disk.put('/save/payload-1', PIECE, Uint8Array.of(1, 2, 3));
  const checks = heldChecks(bench);
  await bench.engine.recheckTorrent({ id });
  await bench.clock.advance(5_000);
  t.match(flags(), { completed: true, verifying: true });
  await checks.release();
  t.match(flags(), { completed: false, verifying: false });
  t.equal(bench.statsOf(id).bytesDone, 2 * PIECE - 100, 'the other two pieces');
  await bench.stop();
});

void t.test('verifying is true from the request on, the wait for its turn included', async (t) => {
  const bench = new Bench();
  await bench.start();
  for (const seed of [1, 2]) await bench.addComplete(torrent(seed), `payload-${seed}`);
  const [first, second] = [...bench.facts.keys()];
  const checks = heldChecks(bench);
  await bench.engine.recheckTorrent({ id: first! });
  await bench.engine.recheckTorrent({ id: second! });
  await bench.clock.advance(1_000);
  t.equal(checks.runs, 1, 'one at a time on a device');
  t.ok(bench.hasFlag(first!, 'verifying') && bench.hasFlag(second!, 'verifying'));
  await checks.release();
  t.notOk(bench.hasFlag(first!, 'verifying') || bench.hasFlag(second!, 'verifying'));
  await bench.stop();
});

void t.test('a recheck of a paused torrent leaves it paused, a second one is none', async (t) => {
  const { bench, id, flags } = await completeTorrent();
  await bench.engine.pauseTorrent({ id });
  const checks = heldChecks(bench);
  await bench.engine.recheckTorrent({ id });
  await bench.engine.recheckTorrent({ id });
  await bench.clock.advance(1_000);
  t.same(flags(), { completed: true, verifying: true, paused: true });
  await checks.release();
  t.same(flags(), { completed: true, verifying: false, paused: true });
  t.equal(checks.runs, 1);
  await bench.stop();
});

void t.test('pause during verifying cancels nothing; the torrent is paused afterwards', async (t) => {
  const { bench, id, flags } = await completeTorrent();
  bench.disk.put('/save/payload-1', 0, Uint8Array.of(1, 2, 3));
  const checks = heldChecks(bench);
  await bench.engine.recheckTorrent({ id });
  await bench.clock.advance(1_000);
  await bench.engine.pauseTorrent({ id });
  t.match(flags(), { verifying: true, paused: true });
  await checks.release();
  t.same(flags(), { completed: false, verifying: false, paused: true });
  await bench.stop();
});

void t.test(
  'completed_at stays through a check that finds everything, and is set anew when it had dropped',
  async (t) => {
    const { bench, id } = await completeTorrent();
    const first = bench.facts.get(id)!.completedAt;
    t.equal(typeof first, 'number');
    await bench.clock.advance(60_000);
    await bench.engine.recheckTorrent({ id });
    await bench.clock.advance(100);
    t.equal(bench.facts.get(id)!.completedAt, first);
    const { payload } = torrent(1);
    bench.disk.put('/save/payload-1', 0, Uint8Array.of(1, 2, 3));
    await bench.engine.recheckTorrent({ id });
    await bench.clock.advance(100);
    t.equal(bench.facts.get(id)!.completedAt, null, 'cleared');
    bench.disk.put('/save/payload-1', 0, payload);
    await bench.clock.advance(60_000);
    await bench.engine.recheckTorrent({ id });
    await bench.clock.advance(100);
    t.ok(bench.facts.get(id)!.completedAt! >= first! + 120);
    await bench.stop();
  },
);

void t.test('data complete at the add: completed, and no tracker hears of a completion', async (t) => {
  const { bench, flags } = await completeTorrent();
  await bench.clock.advance(5_000);
  t.match(flags(), { completed: true });
  t.notOk(bench.tracker.announces.some(({ event }) => event === 'completed'));
  await bench.stop();
});

void t.test('a magnet before its metadata: name, nothing done, not complete, takes a download slot', async (t) => {
  const bench = new Bench();
  await bench.start({ queueLimits: { maxActiveDownloads: 1, maxActiveSeeds: 0 } });
  const named = await bench.addMagnet(`magnet:?xt=urn:btih:${HASH}&dn=a%20name`);
  const nameless = await bench.addMagnet(`magnet:?xt=urn:btih:${'cd'.repeat(20)}`);
  t.match(bench.facts.get(named.id), { name: 'a name', totalBytes: 0, completedAt: null });
  t.equal(bench.facts.get(nameless.id)!.name, 'cd'.repeat(20));
  t.match(bench.statsOf(named.id), { bytesDone: 0, wantedDone: 0 });
  t.notOk(bench.hasFlag(named.id, 'completed'));
  t.same(
    [named, nameless].map(({ id }) => bench.hasFlag(id, 'queued')),
    [false, true],
  );
  await bench.engine.recheckTorrent({ id: named.id });
  await bench.clock.advance(100);
  t.notOk(bench.hasFlag(named.id, 'verifying'), 'a recheck without metadata is none');
  await bench.stop();
});

void t.test('resume of a torrent whose files are missing is no error, and paused is as the user had it', async (t) => {
  const { bench, id } = await completeTorrent();
  await bench.clock.advance(31_000);
  await bench.stop();
  bench.disk.remove('/save/payload-1');
  const again = new Bench(bench.store, bench.disk);
  await again.start();
  await again.clock.advance(1_000);
  t.ok(again.hasFlag(id, 'filesMissing'));
  await again.engine.resumeTorrent({ id });
  t.ok(again.hasFlag(id, 'filesMissing'));
  t.notOk(again.hasFlag(id, 'paused'));
  await again.stop();
});
