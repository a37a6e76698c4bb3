// Whether there is anything to tell people of a torrent that they were not told already.
import t from 'tap';
import { ErrorState } from '../../../../engine/torrent/error-state.js';
import { ToldFacts } from '../../../../engine/torrent/told-facts.js';
import type { SwarmHeard, TrackerFailure } from '../../../../engine/tracker/types.js';
import { ADMIN_ACCOUNT_ID, parseInfoHash } from '../../../../shared-protocol/ids.js';
import type { TorrentRow } from '../../../../storage/types.js';

const URL = 'http://tracker.example/announce';
const ROW: TorrentRow = {
  id: parseInfoHash('ab'.repeat(20)),
  ownerId: ADMIN_ACCOUNT_ID,
  savePath: '/save',
  addedAt: 0,
  completedAt: null,
  paused: false,
  sequential: false,
  name: 'payload',
  trackers: [[URL]],
  webSeeds: [],
  filePriorities: null,
  summary: null,
  selectOnly: null,
};

function setScene() {
  const failed = new Map<string, TrackerFailure>();
  const heard: SwarmHeard = { seeds: 3, leechers: 4, working: new Set(), failed };
  const shown: SwarmHeard[] = [];
  const torrent = {
    services: { announces: { heard: () => heard } },
    row: ROW,
    errorState: new ErrorState(),
    stats: { row: 5, tag: 6, setHeard: (figures: SwarmHeard) => void shown.push(figures) },
  };
  return { failed, shown, torrent, told: new ToldFacts(torrent) };
}

void t.test('nothing is told before it is taken', (t) => {
  const { told } = setScene();
  t.notOk(told.areTold);
  const { id, row, rowTag, name } = told.take();
  t.strictSame({ id, row, rowTag, name }, { id: ROW.id, row: 5, rowTag: 6, name: 'payload' });
  t.ok(told.areTold);
  t.end();
});

void t.test('a row that is written anew is told where a fact of it is another', (t) => {
  const { told, torrent } = setScene();
  told.take();
  torrent.row = { ...ROW, paused: true };
  t.ok(told.areTold, 'that it is paused is in the stats row');
  torrent.row = { ...ROW, completedAt: 1 };
  t.notOk(told.areTold);
  t.equal(told.take().completedAt, 1);
  t.ok(told.areTold);
  t.end();
});

void t.test('so is an error, and its end', (t) => {
  const { told, torrent } = setScene();
  told.take();
  torrent.errorState.onFilesMissing('a');
  t.notOk(told.areTold);
  t.equal(told.take().error?.code, 'FILES_MISSING');
  torrent.errorState.clear();
  t.notOk(told.areTold);
  t.equal(told.take().error, null);
  t.end();
});

void t.test('trackers are told of when they fail, fail otherwise or work again; their figures always', (t) => {
  const { failed, shown, told } = setScene();
  told.take();
  t.notOk(told.lookAtTrackers());
  failed.set(URL, { message: 'timed out', isRefusal: false });
  t.ok(told.lookAtTrackers());
  t.notOk(told.lookAtTrackers());
  t.match(told.take().trackerError, { url: URL, message: 'timed out' });
  failed.set(URL, { message: 'not registered', isRefusal: true });
  t.ok(told.lookAtTrackers());
  failed.clear();
  t.ok(told.lookAtTrackers());
  t.equal(told.take().trackerError, undefined);
  t.equal(shown.length, 8);
  t.end();
});
