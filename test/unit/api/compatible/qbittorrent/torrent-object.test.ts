// The object of a torrent that tools of qBittorrent read, field by field.
import t from 'tap';
import {
  NO_ETA,
  objectFacts,
  objectFigures,
  objectTimes,
  type ShownTorrent,
} from '../../../../../api/compatible/qbittorrent/torrent-object.js';
import { seedingInForce } from '../../../../../api/services/library/seeding-in-force.js';
import type { SeedingRuleDto } from '../../../../../shared-protocol/dto/seeding.js';
import { NEW_LIBRARY_RECORD, type SeedPolicy } from '../../../../../shared-protocol/library-record.js';
import { emptyStats, TORRENT_FLAGS, type TorrentStats } from '../../../../../shared-protocol/stats-table.js';
import { factsOf } from '../../../../support/facts-of.js';

const NOW = 1_700_003_600;
const DEFAULTS = { ratio_limit: 2, time_min_limit: null, inactive_min_limit: null, action: 'pause' } as const;

function shown(change: Partial<ShownTorrent> = {}, rules: { category?: SeedingRuleDto } = {}): ShownTorrent {
  const torrent = change.torrent ?? factsOf();
  const levels = { category: rules.category ?? null, tracker: null, defaults: DEFAULTS };
  const seeding = seedingInForce(torrent.library, levels);
  return { torrent, access: 'owner', category: undefined, tags: [], seeding, ...change };
}

function objectOf(change: Partial<ShownTorrent> = {}, stats: Partial<TorrentStats> = {}) {
  return wholeOf(shown(change), { ...emptyStats(), ...stats });
}

/** The three parts together, as clients get them. */
function wholeOf(given: ShownTorrent, stats: TorrentStats = emptyStats()) {
  const { torrent, access } = given;
  return { ...objectFacts(given), ...objectFigures(torrent, access, stats), ...objectTimes(stats, NOW) };
}

void t.test('what it is and where it lies', (t) => {
  const category = { id: 1, name: 'tv', default_save_path: '', color: '', auto_move: true };
  const tags = ['one', 'two'].map((name, id) => ({ id, name, color: '' }));
  t.match(objectOf({ category, tags }), {
    hash: '1'.padStart(40, '0'),
    infohash_v1: '1'.padStart(40, '0'),
    infohash_v2: '',
    name: 'Sample "1" ☃',
    category: 'tv',
    auto_tmm: true,
    tags: 'one, two',
    save_path: '/files',
    content_path: '/files/Sample "1" ☃',
    total_size: 1_000,
    added_on: 1_700_000_000,
    completion_on: -1,
    private: false,
    has_metadata: true,
    trackers_count: 2,
  });
  const named = factsOf({ contentName: 'on disk', completedAt: 5, library: { ...NEW_LIBRARY_RECORD, name: 'shown' } });
  t.match(objectOf({ torrent: named }), { name: 'shown', content_path: '/files/on disk', completion_on: 5 });
  const scattered = factsOf({ contentName: '' });
  t.equal(objectOf({ torrent: scattered }).content_path, '/files', 'several files without a folder: the save path');
  const magnet = objectOf({
    torrent: factsOf({ hasMetadata: false, totalBytes: 0, trackers: '', superSeeding: true }),
  });
  t.match(magnet, {
    content_path: '',
    total_size: -1,
    private: null,
    trackers_count: 0,
    category: '',
    tags: '',
    super_seeding: true,
  });
  t.end();
});

void t.test('figures', (t) => {
  const { paused, completed, sequential, firstLastFirst, forceStart } = TORRENT_FLAGS;
  const half = { wantedBytes: 800, wantedDone: 400, bytesDone: 500, totalDown: 600, totalUp: 250, queuePosition: 4 };
  const peers = { peers: 7, seeds: 2, downloadRate: 99.6, uploadRate: 10.2, workingTracker: 0 };
  t.match(
    objectOf(
      {},
      { ...half, ...peers, swarmSeeds: 30, swarmLeechers: 40, availabilityPerMille: 2_350, lastActivityAt: NOW - 1 },
    ),
    {
      state: 'downloading',
      size: 800,
      completed: 400,
      amount_left: 400,
      progress: 0.5,
      downloaded: 600,
      uploaded: 250,
      ratio: 0.5,
      dlspeed: 100,
      upspeed: 10,
      eta: 5,
      num_seeds: 2,
      num_leechs: 5,
      num_complete: 30,
      num_incomplete: 40,
      availability: 2.35,
      priority: 5,
      last_activity: NOW - 1,
      tracker: 'udp://tracker.example:1337/announce',
    },
  );
  t.match(objectOf({}, { ...half, peers: 3, seeds: 1 }), {
    eta: NO_ETA,
    num_complete: 1,
    num_incomplete: 2,
    availability: -1,
    last_activity: 1_700_000_000,
    tracker: '',
  });
  t.equal(objectOf({}, { ...half, downloadRate: 1e-9 }).eta, NO_ETA, 'no end is further away than that');
  const flags = paused | completed | sequential | firstLastFirst | forceStart;
  t.match(objectOf({}, { ...half, flags, wantedDone: 800 }), {
    state: 'stoppedUP',
    priority: 0,
    eta: NO_ETA,
    amount_left: 0,
    progress: 1,
    seq_dl: true,
    f_l_piece_prio: true,
    force_start: true,
  });
  t.equal(objectOf({}, { downloadRate: 9 }).eta, NO_ETA, 'its size is not known');
  t.match(objectOf(), { ratio: 0, progress: 0, seq_dl: false }, 'nothing of nothing');
  t.end();
});

void t.test('what goes on by itself', (t) => {
  const counted = { activeSeconds: 1_000, seedingSeconds: 100, countedSince: NOW - 50, totalUp: 5, bytesDone: 10 };
  t.match(objectOf({}, { ...counted, flags: TORRENT_FLAGS.completed }), { time_active: 1_050, seeding_time: 150 });
  t.match(objectOf({}, counted), { time_active: 1_050, seeding_time: 100 });
  const month = { ...counted, countedSince: 0, activeSeconds: 30 * 24 * 3600 };
  t.equal(objectOf({}, month).popularity, 0.5, 'ratio in a month');
  t.equal(objectOf().popularity, 0);
  t.end();
});

void t.test('limits of seeding: its own, none, those of all, and those of its category', (t) => {
  const withPolicy = (seedPolicy: SeedPolicy | null) =>
    shown({ torrent: factsOf({ library: { ...NEW_LIBRARY_RECORD, seedPolicy } }) });
  t.match(wholeOf(withPolicy(null)), {
    ratio_limit: -2,
    seeding_time_limit: -2,
    inactive_seeding_time_limit: -2,
    max_ratio: 2,
    max_seeding_time: -1,
    max_inactive_seeding_time: -1,
  });
  const own = { ratioLimit: 1.5, minutesLimit: null, inactiveMinutesLimit: 'inherited' } as const;
  t.match(wholeOf(withPolicy(own)), {
    ratio_limit: 1.5,
    seeding_time_limit: -1,
    inactive_seeding_time_limit: -2,
    max_ratio: 1.5,
  });
  const ofCategory = shown({}, { category: { ratio_limit: 3, time_min_limit: null } });
  t.match(wholeOf(ofCategory), {
    ratio_limit: 3,
    seeding_time_limit: -1,
    inactive_seeding_time_limit: -2,
    max_ratio: 3,
  });
  t.end();
});

void t.test('viewers see no passkeys', (t) => {
  const stats = { workingTracker: 1 };
  const secret = '0123456789abcdef0123456789abcdef';
  for (const access of ['owner', 'editor'] as const) t.match(objectOf({ access }, stats).tracker, secret);
  const viewers = objectOf({ access: 'viewer' }, stats);
  t.equal(viewers.tracker, 'https://private.example/***/announce');
  t.notMatch(JSON.stringify(viewers), secret);
  t.end();
});
