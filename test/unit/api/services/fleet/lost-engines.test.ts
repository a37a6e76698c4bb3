// Torrents of a lost engine go to others once it is held off, and of several that are left each gets its part.
import t from 'tap';
import { LostEngines } from '../../../../../api/services/fleet/lost-engines.js';
import { nodeLease, NODE_LEASE_MS, type EngineNode } from '../../../../../api/engines/nodes.js';
import { AppError } from '../../../../../shared-protocol/errors.js';
import { createMemoryLeases } from '../../../../../storage/memory-leases.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';

const TAKE_OVER_MS = 60_000;

/** Engines by name; `lost` is away since the beginning, and has so many torrents on a root that the others share. */
function scene(torrents: number, others: Readonly<Record<string, Partial<EngineNode>>> = { b: {}, c: {} }) {
  const clock = new VirtualClock();
  const leases = createMemoryLeases(clock);
  const logged: string[] = [];
  const asked: { readonly by: string; readonly epoch: number | undefined }[] = [];
  let left = torrents;
  const counts = new Map<string, number>();
  const nodeOf = (name: string, change: Partial<EngineNode> = {}): EngineNode => ({
    ...{
      name,
      engineId: `id of ${name}`,
      awaySinceMs: null,
      isDraining: false,
      roots: null,
      sharedRoots: ['/mnt/tank'],
    },
    torrents: counts.get(name) ?? 0,
    give: () => Promise.reject(new AppError('BUG', 'bug: nothing is given')),
    async take({ from, limit }) {
      asked.push({ by: name, epoch: from?.epoch });
      const taken = Math.min(limit, left);
      left -= taken;
      counts.set(name, (counts.get(name) ?? 0) + taken);
      return { taken, left };
    },
    ...change,
  });
  const lost = { awaySinceMs: clock.unixMs() as number | null };
  const engines = {
    takeOverAfterMs: TAKE_OVER_MS,
    get nodes() {
      return [nodeOf('a', lost), ...Object.entries(others).map(([name, change]) => nodeOf(name, change))];
    },
  };
  const log = { info: () => undefined, warn: (message: string) => void logged.push(message) };
  const service = new LostEngines({ engines, leases, holder: 'front', clock, log });
  service.start();
  return { clock, leases, service, counts, asked, lost, logged };
}

void t.test('they go when it is away for long enough, to all that are left', async (t) => {
  const { clock, counts, asked, logged } = scene(230);
  await clock.advance(TAKE_OVER_MS - 1);
  t.same(asked, []);
  await clock.advance(5_000);
  t.same(
    [...counts.values()].reduce((sum, count) => sum + count, 0),
    230,
  );
  t.ok(Math.min(...counts.values()) >= 100, 'each has its part');
  t.ok(asked.every(({ epoch }) => epoch === 1));
  t.same(logged, ['engine lost: others have its torrents on shared roots']);
  const before = asked.length;
  await clock.advance(60_000);
  t.equal(asked.length, before, 'it is asked for once');
});

void t.test('an engine whose lease holds is there, whoever does not reach it', async (t) => {
  const { clock, leases, counts, lost } = scene(10);
  for (let ms = 0; ms < 3 * TAKE_OVER_MS; ms += 5_000) {
    await leases.claim(nodeLease('id of a'), 'id of a', NODE_LEASE_MS);
    await clock.advance(5_000);
  }
  t.equal(counts.size, 0);
  await clock.advance(NODE_LEASE_MS + 5_000);
  t.equal(counts.size, 2, 'it is lost when that has run out');
  t.ok(await leases.claim(nodeLease('id of a'), 'id of a', NODE_LEASE_MS), 'and may come again');
  lost.awaySinceMs = null;
});

void t.test('nobody to take them, then somebody', async (t) => {
  const { clock, counts, asked } = scene(10, { b: { sharedRoots: [] }, c: { awaySinceMs: 1 } });
  await clock.advance(2 * TAKE_OVER_MS);
  t.same([counts.size, asked.length], [0, 0]);
});

void t.test('one that fails is tried again; one that begins again meanwhile keeps the rest', async (t) => {
  let refusal: AppError | null = new AppError('ENGINE_AWAY', 'away');
  const take: EngineNode['take'] = async () => {
    if (refusal) throw refusal;
    return { taken: 0, left: 0 };
  };
  const { clock, logged } = scene(10, { b: { take } });
  await clock.advance(TAKE_OVER_MS + 3_000);
  t.ok(logged.length >= 1 && logged.every((line) => line === 'torrents of a lost engine not taken over'));
  refusal = null;
  const before = logged.length;
  await clock.advance(10_000);
  t.equal(logged.length, before);
});

void t.test('a front that stops leads no more', async (t) => {
  const { clock, service, asked } = scene(10);
  await service.stop();
  await clock.advance(2 * TAKE_OVER_MS);
  t.same(asked, []);
  t.equal(clock.pendingTimers, 0);
});

void t.test('an engine that says it takes without end, or no number, does not hold the lost one off', async (t) => {
  const answers = [
    { taken: 1, left: 1 },
    { taken: 50, left: 1e15 },
    { taken: NaN, left: 1 },
    { taken: -1, left: 0 },
    null,
  ];
  for (const answer of answers) {
    let asked = 0;
    const take = async () => {
      if (++asked > 100) throw new Error('asked without end');
      return answer as never;
    };
    const { clock, leases, service } = scene(10, { b: { take } });
    await clock.advance(TAKE_OVER_MS + 10_000);
    t.ok(asked > 0 && asked < 100, `${JSON.stringify(answer)}: asked ${asked} times`);
    t.ok(await leases.claim(nodeLease('id of a'), 'id of a', NODE_LEASE_MS), 'it may come again');
    await service.stop();
  }
});
