// STATE.md as a table: every combination of facts has one activity, and these rules hold for all of them.
import t from 'tap';
import {
  activityOf,
  isOnline,
  seeksPeers,
  type Activity,
  type TorrentFactsOfState,
} from '../../../../engine/torrent/state.js';

const RUNNING: TorrentFactsOfState = {
  paused: false,
  hasMetadata: true,
  complete: false,
  check: 'none',
  filesMissing: false,
  writesFail: false,
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
    { name: 'paused', given: { paused: true }, expected: 'stopped' },
    { name: 'a paused magnet', given: { paused: true, hasMetadata: false }, expected: 'stopped' },
    { name: 'files vanished', given: { filesMissing: true, complete: true }, expected: 'stopped' },
    { name: 'waiting for its check', given: { check: 'queued' }, expected: 'checking' },
    { name: 'being checked while paused', given: { check: 'running', paused: true }, expected: 'checking' },
    { name: 'checked because files vanished', given: { check: 'running', filesMissing: true }, expected: 'checking' },
  ];
  for (const { name, given, expected } of cases) t.equal(activityOf({ ...RUNNING, ...given }), expected, name);
});

void t.test('rules over all combinations', async (t) => {
  const both = [false, true];
  let combinations = 0;
  for (const paused of both)
    for (const hasMetadata of both)
      for (const complete of both)
        for (const check of ['none', 'queued', 'running'] as const)
          for (const filesMissing of both)
            for (const writesFail of both) {
              const activity = activityOf({ paused, hasMetadata, complete, check, filesMissing, writesFail });
              combinations++;
              if (seeksPeers(activity) && !isOnline(activity)) t.fail(`${activity} seeks peers offline`);
              if (paused && isOnline(activity)) t.fail('a paused torrent is online');
              if (check !== 'none' && isOnline(activity)) t.fail('a torrent is online while it is checked');
              if (filesMissing && activity === 'seeding') t.fail('seeds files that are missing');
              if (writesFail && activity === 'downloading') t.fail('downloads to a disk that takes no writes');
            }
  t.equal(combinations, 96);
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
