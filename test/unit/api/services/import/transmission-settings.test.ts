// What is read of the settings of Transmission, in its units: what is switched on, and no limit that would be none here.
import t from 'tap';
import { transmissionSettings } from '../../../../../api/services/import/transmission/transmission-settings.js';
import { inEnglish } from '../../../../support/import/in-english.js';

const FULL = {
  ...{ 'speed-limit-down': 100, 'speed-limit-down-enabled': true, 'speed-limit-up': 1, 'speed-limit-up-enabled': true },
  ...{ 'alt-speed-down': 50, 'alt-speed-up': 25, 'alt-speed-enabled': true, 'alt-speed-time-enabled': true },
  ...{ 'alt-speed-time-begin': 1_350, 'alt-speed-time-end': 375, 'alt-speed-time-day': 65 },
  ...{ 'download-queue-enabled': true, 'download-queue-size': 4, 'seed-queue-enabled': true, 'seed-queue-size': 6 },
  ...{ 'queue-stalled-enabled': true, 'queue-stalled-minutes': 20 },
  ...{ 'ratio-limit': 2.5, 'ratio-limit-enabled': true, 'idle-seeding-limit': 30, 'idle-seeding-limit-enabled': true },
  ...{ 'blocklist-enabled': true, 'blocklist-url': 'https://lists.example/level1.gz' },
};
const MADE_OF_IT = {
  limits: { down_kbps: 97, up_kbps: 1, alt_down_kbps: 48, alt_up_kbps: 24 },
  queue: { max_active_downloads: 4, max_active_seeds: 6, stalled_minutes: 20 },
  seeding: { ratio_limit: 2.5, inactive_min_limit: 30 },
  schedule: [{ days_mask: 65, start_min: 1_350, end_min: 375 }],
  ...{
    categorySeeding: [],
    excludedNames: [],
    blocklistUrl: 'https://lists.example/level1.gz',
    feeds: [],
    filters: [],
    leftOut: [],
  },
};

void t.test('all that it has', async (t) => {
  t.same(transmissionSettings(FULL), MADE_OF_IT);
  const underscores = Object.fromEntries(Object.entries(FULL).map(([key, value]) => [key.replaceAll('-', '_'), value]));
  t.same(transmissionSettings(underscores), MADE_OF_IT, 'as from version 4.1 on');
});

void t.test('what is switched off, or of another kind', async (t) => {
  const off = Object.fromEntries(Object.entries(FULL).map(([key, value]) => [key, value === true ? false : value]));
  const nothing = { limits: {}, queue: {}, seeding: {}, schedule: [], blocklistUrl: '', leftOut: [] };
  t.match(transmissionSettings(off), nothing);
  t.match(transmissionSettings({}), nothing);
  const odd = Object.fromEntries(Object.entries(FULL).map(([key, value]) => [key, value === true ? true : 'x']));
  t.match(transmissionSettings(odd), { limits: {}, queue: {}, seeding: {}, schedule: [] });
});

void t.test('none at all there is no limit here', async (t) => {
  const stopped = inEnglish(
    transmissionSettings({ ...FULL, 'speed-limit-down': 0, 'seed-queue-size': 0, 'alt-speed-up': 0 }),
  );
  t.same(stopped.limits, { up_kbps: 1 });
  t.same(stopped.queue, { max_active_downloads: 4, stalled_minutes: 20 });
  t.same(stopped.schedule, [], 'its alternative limits do not come, so when they hold does not');
  t.same(stopped.leftOut.map(({ name }) => name).sort(), [
    'alternative speed limits',
    'seeds at a time',
    'speed limit down',
  ]);
});

void t.test('the address that stands in a new file is none', async (t) => {
  const url = 'http://www.example.com/blocklist';
  t.equal(transmissionSettings({ ...FULL, 'blocklist-url': url }).blocklistUrl, '');
});

void t.test('what cannot be said is named', async (t) => {
  const { leftOut } = inEnglish(
    transmissionSettings({
      ...{ watch_dir_enabled: true, watch_dir: '/watch', 'incomplete-dir-enabled': true, 'incomplete-dir': '/half' },
      ...{
        'script-torrent-done-enabled': true,
        'script-torrent-done-filename': '/bin/secret',
        default_trackers: 'http://a/',
      },
    }),
  );
  t.same(
    leftOut.map(({ name }) => name),
    ['watch folder /watch', 'folder of incomplete torrents /half', 'program at "done"', 'trackers of all torrents'],
  );
});
