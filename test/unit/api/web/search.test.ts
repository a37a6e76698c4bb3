// The grammar of the search.
import t from 'tap';
import { RE2JS } from 're2js';
import { compileSearch, type SearchDeps } from '../../../../api/web/src/state/search.js';
import { torrent } from './torrent-samples.js';

const NOW_S = 1_700_000_000;
const DAY_S = 86_400;
const G = 1024 ** 3;

const DEPS: SearchDeps = {
  categoryName: (id) => (id === 3 ? 'TV Shows' : null),
  serverName: (id) => (id === 7 ? 'attic' : null),
  nowMs: NOW_S * 1000,
  pattern(source) {
    try {
      const compiled = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
      return (text) => compiled.matcher(text).find();
    } catch {
      return null;
    }
  },
};

const ALL = [
  torrent('a1', {
    ...{ name: 'Debian 12 amd64.iso', category_id: 3, trackerHosts: ['tracker.debian.org'], total_bytes: 12 * G },
    ...{ tags: [{ id: 7, name: 'Linux isos', color: '' }], added_at: NOW_S - DAY_S, save_path: '/data/linux' },
    availability: 0.9,
  }),
  torrent('b2', {
    ...{ name: 'Ubuntu-24.04', completed: true, upload_rate: 3 * 1024 ** 2, progress: 1, total_bytes: 2 * G },
    ...{ added_at: NOW_S - 30 * DAY_S, force_start: true, ratio: 1.5, total_up: 3 * G, total_down: 2 * G },
    ...{ private: true, seeding_seconds: 2 * DAY_S, seeding_since: NOW_S - 6 * DAY_S },
  }),
  torrent('c3', {
    ...{ name: 'Re:Zero S01E02 12 debian', paused: true, progress: 0.5, total_bytes: 1024, peers: 4 },
    ...{ added_at: NOW_S - 8 * DAY_S, availability: 1 },
  }),
];

const CASES: readonly { readonly typed: string; readonly finds: string }[] = [
  { typed: '', finds: 'a1 b2 c3' },
  { typed: '   ', finds: 'a1 b2 c3' },
  { typed: 'DEBIAN', finds: 'a1 c3' },
  { typed: '12 debian', finds: 'a1 c3' },
  { typed: 'b2', finds: 'b2' },
  { typed: '"debian 12"', finds: 'a1' },
  { typed: '"debian 12', finds: 'a1' },
  { typed: '-debian', finds: 'b2' },
  { typed: '-"debian 12"', finds: 'b2 c3' },
  { typed: 'debian -iso', finds: 'c3' },
  { typed: 'ubuntu OR iso', finds: 'a1 b2' },
  { typed: '12 zero OR iso', finds: 'a1 c3' },
  { typed: 'ubuntu OR zero -paused OR zero', finds: 'b2 c3' },
  { typed: 'OR ubuntu OR', finds: 'b2' },
  { typed: 'ubuntu or iso', finds: '' },
  { typed: '/s\\d+e\\d+/', finds: 'c3' },
  { typed: '/^ubuntu|ISO$/', finds: 'a1 b2' },
  { typed: '/debian 12/', finds: 'a1' },
  { typed: '-/debian/', finds: 'b2' },
  { typed: 'tag:linux', finds: 'a1' },
  { typed: 'tag:"linux isos"', finds: 'a1' },
  { typed: 'tag:none', finds: 'b2 c3' },
  { typed: '-tag:none', finds: 'a1' },
  { typed: 'cat:"tv shows"', finds: 'a1' },
  { typed: 'status:seeding -state:seeding', finds: '' },
  { typed: 'category:none', finds: 'b2 c3' },
  { typed: 'tracker:debian', finds: 'a1' },
  { typed: 'path:linux', finds: 'a1' },
  { typed: 'hash:c3', finds: 'c3' },
  { typed: 'size>10G', finds: 'a1' },
  { typed: 'size>=2GiB', finds: 'a1 b2' },
  { typed: 'size<1.5k', finds: 'c3' },
  { typed: 'size=1024', finds: 'c3' },
  { typed: 'up>1M', finds: 'b2' },
  { typed: 'progress>=50%', finds: 'b2 c3' },
  { typed: 'peers>3', finds: 'c3' },
  { typed: 'added<7d', finds: 'a1' },
  { typed: 'added>1w', finds: 'b2 c3' },
  { typed: 'is:seeding', finds: 'b2' },
  { typed: '-is:active', finds: 'a1 c3' },
  { typed: 'is:forced', finds: 'b2' },
  { typed: 're:zero', finds: 'c3' },
  { typed: 'constructor:x', finds: '' },
  { typed: 'toString>1', finds: '' },
  { typed: 'is:constructor', finds: '' },
  { typed: 'ratio<1', finds: 'a1 c3' },
  { typed: 'ratio>=1.5', finds: 'b2' },
  { typed: '-ratio>=1.5 OR is:private', finds: 'a1 b2 c3' },
  { typed: 'uploaded>2G', finds: 'b2' },
  { typed: 'downloaded>=2GiB', finds: 'b2' },
  { typed: 'remaining>1G', finds: 'a1' },
  { typed: 'seeding>7d', finds: 'b2' },
  { typed: 'availability<1', finds: 'a1' },
  { typed: 'availability>=0', finds: 'a1 c3' },
  { typed: 'is:private', finds: 'b2' },
  { typed: 'is:public', finds: 'a1 c3' },
  { typed: 'is:incomplete', finds: 'a1 c3' },
  { typed: 'size>lots', finds: '' },
  { typed: '-', finds: 'b2' },
];

void t.test('what is typed finds', async (t) => {
  for (const { typed, finds } of CASES) {
    const { passes, broken } = compileSearch(typed, DEPS);
    const found = ALL.filter(passes).map(({ id }) => id);
    t.equal(found.join(' '), finds, typed);
    t.same(broken, [], typed);
  }
});

void t.test('a pattern that is none is told, and finds nothing', async (t) => {
  for (const typed of ['/(/', '-/(/', 'debian /(/']) {
    const { passes, broken } = compileSearch(typed, DEPS);
    t.same(broken, ['/(/']);
    t.same(ALL.filter(passes), [], typed);
  }
});
