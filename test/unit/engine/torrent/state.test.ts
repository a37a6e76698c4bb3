// STATE.md as a table: every combination of facts has one activity, and these rules hold for all of them.
import t from 'tap';
import {
  activityOf,
  isOnline,
  laneOf,
  seeksPeers,
  type Activity,
  type QueueLaneName,
  type TorrentFactsOfState,
} from '../../../../engine/torrent/state.js';

const RUNNING: TorrentFactsOfState = {
  paused: false,
  hasMetadata: true,
  complete: false,
  wantsNothing: false,
  check: 'none',
  filesMissing: false,
  writesFail: false,
  moving: false,
  forceStart: false,
  queued: false,
};

void t.test('each fact leads to its activity', async (t) => {
  const cases: readonly { name: string; given: Partial<TorrentFactsOfState>; expected: Activity }[] = [
    { name: 'added', given: {}, expected: 'downloading' },
    { name: 'a magnet', given: { hasMetadata: false }, expected: 'metadata' },
    { name: 'completed', given: { complete: true }, expected: 'seeding' },
    { name: 'disk full', given: { writesFail: true }, expected: 'upload-only' },
    {
      name: 'disk full, but nothing is left to write',
      given: { writesFail: true, complete: true },
      expected: 'seeding',
    },
    { name: 'its files are being moved', given: { moving: true }, expected: 'upload-only' },
    { name: 'moved while it seeds', given: { moving: true, complete: true }, expected: 'seeding' },
    { name: 'paused', given: { paused: true }, expected: 'stopped' },
    { name: 'a paused magnet', given: { paused: true, hasMetadata: false }, expected: 'stopped' },
    { name: 'every file skipped', given: { wantsNothing: true }, expected: 'stopped' },
    { name: 'held back by the queue', given: { queued: true }, expected: 'stopped' },
    { name: 'a magnet that is held back', given: { queued: true, hasMetadata: false }, expected: 'stopped' },
    { name: 'held back before its check', given: { queued: true, check: 'queued' }, expected: 'checking' },
    { name: 'files vanished', given: { filesMissing: true, complete: true }, expected: 'stopped' },
    { name: 'waiting for its check', given: { check: 'queued' }, expected: 'checking' },
    { name: 'being checked while paused', given: { check: 'running', paused: true }, expected: 'checking' },
    { name: 'checked because files vanished', given: { check: 'running', filesMissing: true }, expected: 'checking' },
  ];
  for (const { name, given, expected } of cases) t.equal(activityOf({ ...RUNNING, ...given }), expected, name);
});

void t.test('which lane of the queue a torrent is in', async (t) => {
  const cases: readonly { name: string; given: Partial<TorrentFactsOfState>; expected: QueueLaneName | null }[] = [
    { name: 'added', given: {}, expected: 'download' },
    { name: 'a magnet', given: { hasMetadata: false }, expected: 'download' },
    { name: 'completed', given: { complete: true }, expected: 'seed' },
    { name: 'held back, it is there still', given: { queued: true }, expected: 'download' },
    { name: 'disk full', given: { writesFail: true }, expected: 'download' },
    { name: 'paused', given: { paused: true }, expected: null },
    { name: 'forced', given: { forceStart: true }, expected: null },
    { name: 'every file skipped', given: { wantsNothing: true }, expected: null },
    { name: 'files vanished', given: { filesMissing: true, complete: true }, expected: null },
    { name: 'waiting for its check', given: { check: 'queued' }, expected: null },
    { name: 'being checked', given: { check: 'running', complete: true }, expected: null },
  ];
  for (const { name, given, expected } of cases) t.equal(laneOf({ ...RUNNING, ...given }), expected, name);
});

void t.test('rules over all combinations', async (t) => {
  let combinations = 0;
  for (const facts of allFacts()) {
    const activity = activityOf(facts);
    combinations++;
    if (seeksPeers(activity) && !isOnline(activity)) t.fail(`${activity} seeks peers offline`);
    if ((facts.paused || facts.queued || facts.wantsNothing) && isOnline(activity)) t.fail('rests online');
    if (facts.check !== 'none' && isOnline(activity)) t.fail('a torrent is online while it is checked');
    if (facts.filesMissing && activity === 'seeding') t.fail('seeds files that are missing');
    if (facts.writesFail && activity === 'downloading') t.fail('downloads to a disk that takes no writes');
    if (facts.moving && activity === 'downloading') t.fail('writes to files that are being moved');
    // What may be held back is what would run, except where it is forced to.
    const runs = isOnline(activityOf({ ...facts, queued: false }));
    if (runs && !facts.forceStart !== (laneOf(facts) !== null)) t.fail('runs outside of the queue');
    if (!runs && laneOf(facts) !== null) t.fail('takes a place without running');
  }
  t.equal(combinations, 3 * 2 ** 9);
});

void t.test('who is online and who looks for peers', async (t) => {
  const table: Readonly<Record<Activity, readonly [online: boolean, seeks: boolean]>> = {
    stopped: [false, false],
    checking: [false, false],
    metadata: [true, true],
    downloading: [true, true],
    'upload-only': [true, false],
    seeding: [true, true],
  };
  for (const [activity, expected] of Object.entries(table)) {
    t.same([isOnline(activity as Activity), seeksPeers(activity as Activity)], expected, activity);
  }
});

function* allFacts(): Iterable<TorrentFactsOfState> {
  const names = ['paused', 'hasMetadata', 'complete', 'wantsNothing', 'filesMissing'] as const;
  const more = ['writesFail', 'moving', 'forceStart', 'queued'] as const;
  const flags = [...names, ...more];
  for (let bits = 0; bits < 2 ** flags.length; bits++) {
    const facts = Object.fromEntries(flags.map((flag, i) => [flag, (bits & (1 << i)) !== 0]));
    for (const check of ['none', 'queued', 'running'] as const) yield { ...RUNNING, ...facts, check };
  }
}
