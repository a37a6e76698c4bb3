// Which failure stands for a torrent's trackers, and for those of each account that holds it.
import t from 'tap';
import { NO_TRACKER_ERRORS, trackerErrorsOf } from '../../../../engine/torrent/tracker-errors.js';
import type { HolderRow } from '../../../../storage/types.js';

const ONE = 'http://one.example/a';
const TWO = 'http://two.example/a';
const REFUSED = { message: 'no', isRefusal: true };
const LATE = { message: 'timed out', isRefusal: false };

const heard = (working: readonly string[], failed: Readonly<Record<string, typeof REFUSED>>) => ({
  working: new Set(working),
  failed: new Map(Object.entries(failed)),
});
const errors = (trackers: string[][], told: ReturnType<typeof heard>, before = NO_TRACKER_ERRORS) =>
  trackerErrorsOf({ trackers }, told, before);

void t.test('the first that failed, where none works', (t) => {
  t.same(errors([[ONE], [TWO]], heard([], { [TWO]: LATE, [ONE]: REFUSED })).ofAll, { url: ONE, ...REFUSED });
  t.same(errors([[ONE], [TWO]], heard([], { [TWO]: LATE })).ofAll, { url: TWO, ...LATE });
  t.equal(errors([[ONE], [TWO]], heard([ONE], { [TWO]: LATE })), NO_TRACKER_ERRORS);
  t.equal(errors([[ONE]], heard([], {})), NO_TRACKER_ERRORS, 'not yet asked is no failure');
  t.equal(errors([[ONE]], heard([], { [TWO]: LATE })), NO_TRACKER_ERRORS, 'nor is that of one that was removed');
  t.end();
});

void t.test('equal errors are the same object, so that nobody is told twice', (t) => {
  const first = errors([[ONE]], heard([], { [ONE]: LATE }));
  t.equal(errors([[ONE]], heard([], { [ONE]: { ...LATE } }), first), first);
  t.not(errors([[ONE]], heard([], { [ONE]: REFUSED }), first), first);
  t.end();
});

void t.test('each holder is told of its own', (t) => {
  const holders = [ONE, TWO].map((url) => ({ trackers: [[url]] })) as unknown as HolderRow[];
  const told = trackerErrorsOf({ trackers: [[ONE], [TWO]], holders }, heard([ONE], { [TWO]: LATE }), NO_TRACKER_ERRORS);
  t.same(told, { ofAll: undefined, ofHolders: [undefined, { url: TWO, ...LATE }] });
  t.end();
});
