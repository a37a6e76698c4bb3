// Looking for updates unasked, in virtual time: when, and who hears of what was found (docs/api.md,
// `update:available`).
import t from 'tap';
import { RequestError } from '../../../../../api/errors.js';
import { defaultSettings, settingsSchema } from '../../../../../api/services/settings/settings-data.js';
import { Settings } from '../../../../../api/services/settings/settings.js';
import { firstDelayMs, nextDelayMs, UpdateChecks } from '../../../../../api/services/updater/update-checks.js';
import { Updates, type InstallSource } from '../../../../../api/services/updater/updates.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';

const NO_FLAGS = { peerPort: null, encryption: null, dht: null, lsd: null, upnp: null };
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

function newSettings() {
  return new MemoryCollection(defaultSettings('/files'), (data) => settingsSchema.parse(data));
}

function start({ collection = newSettings(), installSource = 'manual' as InstallSource, isAttached = true } = {}) {
  const clock = new VirtualClock();
  const world = { latest: '0.1.0', isDown: false, isHeard: true, checks: [] as number[], announced: [] as string[] };
  const updater = {
    check: async (channel: 'stable' | 'beta') => {
      world.checks.push(clock.nowMs());
      if (world.isDown) throw new RequestError('UPDATE_FAILED', 'connection refused');
      const latest_version = channel === 'beta' ? `${world.latest}-beta.1` : world.latest;
      const facts = { asset_url: '', asset_filename: '', checked_at: 1, current_version: '0.1.0' };
      return { ...facts, available: latest_version !== '0.1.0', latest_version };
    },
    install: async () => undefined,
  };
  const updates = new Updates({
    settings: new Settings(collection, NO_FLAGS),
    updater: isAttached ? updater : null,
    installSource,
  });
  const lines: string[] = [];
  const checks = new UpdateChecks({
    updates,
    announce: ({ available, latest_version }) => {
      if (!available) throw new Error('announced what is not available');
      if (world.isHeard) world.announced.push(latest_version);
      return world.isHeard;
    },
    clock,
    random: () => 0.5,
    log: { debug: () => undefined, info: () => undefined, warn: (message) => void lines.push(message) },
  });
  checks.start();
  return { checks, clock, collection, lines, updates, world };
}

void t.test('first within minutes, then daily, with jitter; failures back off to a day', async (t) => {
  t.same([firstDelayMs(0), firstDelayMs(0.5)], [MINUTE_MS, 3 * MINUTE_MS]);
  t.ok(firstDelayMs(0.999) < 5 * MINUTE_MS);
  t.same(
    [nextDelayMs(0, 0), nextDelayMs(0, 0.5), Math.round(nextDelayMs(0, 1))],
    [0.9 * DAY_MS, DAY_MS, Math.round(1.1 * DAY_MS)],
  );
  const minutes = Array.from({ length: 10 }, (_, failures) => nextDelayMs(failures + 1, 0.5) / MINUTE_MS);
  t.same(minutes, [15, 30, 60, 120, 240, 480, 960, 1_440, 1_440, 1_440]);
});

void t.test('a month of checks', async (t) => {
  const { clock, world } = start();
  await clock.advance(30 * DAY_MS);
  t.equal(world.checks.length, 30);
  t.same(world.checks.slice(0, 2), [3 * MINUTE_MS, DAY_MS + 3 * MINUTE_MS]);
});

void t.test('a find is announced once, and the next one again', async (t) => {
  const { clock, updates, world } = start();
  await clock.advance(2 * DAY_MS);
  t.same(world.announced, []);
  world.latest = '0.2.0';
  await clock.advance(5 * DAY_MS);
  t.same(world.announced, ['0.2.0']);
  t.match(updates.stored, { last_seen_version: '0.2.0' });
  world.latest = '0.3.0';
  await clock.advance(5 * DAY_MS);
  t.same(world.announced, ['0.2.0', '0.3.0']);
  world.latest = '0.2.0';
  await clock.advance(DAY_MS);
  t.equal(world.announced.length, 2, 'one that was withdrawn');
});

void t.test('it is not announced again after a restart', async (t) => {
  const first = start();
  first.world.latest = '0.2.0';
  await first.clock.advance(DAY_MS);
  t.same(first.world.announced, ['0.2.0']);
  await first.checks.stop();
  const second = start({ collection: first.collection });
  second.world.latest = '0.2.0';
  await second.clock.advance(2 * DAY_MS);
  t.same([second.world.checks.length, second.world.announced], [2, []]);
});

void t.test('what a user found by asking is still announced to the others', async (t) => {
  const { clock, updates, world } = start();
  world.latest = '0.2.0';
  await updates.check();
  await clock.advance(DAY_MS);
  t.same(world.announced, ['0.2.0']);
});

void t.test('what nobody was there to hear of is announced by the next check', async (t) => {
  const { clock, world } = start();
  world.latest = '0.2.0';
  world.isHeard = false;
  await clock.advance(DAY_MS);
  world.isHeard = true;
  await clock.advance(3 * DAY_MS);
  t.same(world.announced, ['0.2.0']);
});

void t.test('skipped where apt does it, where none is attached, and while it is switched off', async (t) => {
  for (const options of [{ installSource: 'apt' as const }, { isAttached: false }]) {
    const { clock, world } = start(options);
    await clock.advance(3 * DAY_MS);
    t.same([world.checks, clock.pendingTimers], [[], 0]);
  }
  const { clock, updates, world } = start();
  await updates.set({ enabled: false, channel: 'stable' });
  await clock.advance(3 * DAY_MS);
  t.same(world.checks, []);
  await updates.set({ enabled: true, channel: 'stable' });
  await clock.advance(5 * MINUTE_MS);
  t.equal(world.checks.length, 1, 'within minutes of being switched on');
});

void t.test('another channel is asked within minutes, and announces its own', async (t) => {
  const { clock, updates, world } = start();
  world.latest = '0.2.0';
  await clock.advance(DAY_MS);
  await updates.set({ enabled: true, channel: 'beta' });
  await clock.advance(5 * MINUTE_MS);
  t.same(world.announced, ['0.2.0', '0.2.0-beta.1']);
  for (let i = 0; i < 5; i++) {
    await updates.set({ enabled: true, channel: 'beta' });
    await clock.advance(5 * MINUTE_MS);
  }
  t.equal(world.checks.length, 2, 'the same setting is no change');
});

void t.test('failures are logged once, back off, and end with the first answer', async (t) => {
  const { clock, lines, world } = start();
  world.isDown = true;
  await clock.advance((3 + 15 + 30 + 60) * MINUTE_MS);
  t.same(
    world.checks.map((at) => at / MINUTE_MS),
    [3, 18, 48, 108],
  );
  t.equal(lines.length, 1);
  world.isDown = false;
  await clock.advance(120 * MINUTE_MS);
  await clock.advance(DAY_MS);
  t.same(
    world.checks.slice(4).map((at) => at / MINUTE_MS),
    [228, 228 + 1_440],
  );
});

void t.test('after a stop nothing is looked for', async (t) => {
  const { checks, clock, updates, world } = start();
  await checks.stop();
  await updates.set({ enabled: true, channel: 'beta' });
  await clock.advance(3 * DAY_MS);
  t.same([world.checks, clock.pendingTimers], [[], 0]);
});
