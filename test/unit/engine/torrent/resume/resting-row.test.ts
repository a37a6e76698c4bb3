// A row at rest says what the row said that it was made from, and shares what others have as well.
import t from 'tap';
import { restingRow } from '../../../../../engine/torrent/resume/resting-row.js';
import { NEW_LIBRARY_RECORD } from '../../../../../shared-protocol/library-record.js';
import type { TorrentRow } from '../../../../../storage/types.js';

const ROW: TorrentRow = {
  id: 'a'.repeat(40) as TorrentRow['id'],
  ownerId: 1 as TorrentRow['ownerId'],
  savePath: '/srv/films',
  addedAt: 1_700_000_000,
  completedAt: null,
  paused: false,
  sequential: false,
  name: 'film',
  trackers: [['https://one.example/announce', 'https://two.example/announce'], ['udp://three.example:80']],
  webSeeds: [],
  filePriorities: null,
  summary: null,
  selectOnly: null,
};

void t.test('equal to the row, key by key and in its order', async (t) => {
  const library = { ...NEW_LIBRARY_RECORD, shares: [], tagIds: [3, 1] };
  const rows: TorrentRow[] = [
    ROW,
    { ...ROW, trackers: [], webSeeds: ['https://seed.example/'], httpSeeds: [], library },
    { ...ROW, httpSeeds: ['https://seed.example/'], library: NEW_LIBRARY_RECORD },
  ];
  for (const row of rows) t.equal(JSON.stringify(restingRow(row)), JSON.stringify(row));
});

void t.test('what it was made from is neither changed nor held on to', async (t) => {
  const given = structuredClone(ROW);
  const row = restingRow(given);
  (given.trackers as string[][])[0]!.push('https://four.example/announce');
  t.same(row.trackers, ROW.trackers);
});

void t.test('a change has no more in it than it had', async (t) => {
  t.same(restingRow({ paused: true }), { paused: true });
  t.same(restingRow({ webSeeds: [] }), { webSeeds: [] });
});
