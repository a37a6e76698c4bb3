// Every state of a torrent in qBittorrent's words, in the order in which they hold, and what the filters let through.
import t from 'tap';
import { filterNamed, stateOf, type TorrentState } from '../../../../../api/compatible/qbittorrent/torrent-state.js';
import { AppError, toErrorRecord } from '../../../../../shared-protocol/errors.js';
import {
  emptyStats,
  TORRENT_FLAGS,
  type TorrentFlag,
  type TorrentStats,
} from '../../../../../shared-protocol/stats-table.js';
import { factsOf } from '../../../../support/facts-of.js';

const DISK_FULL = toErrorRecord(new AppError('DISK_FULL', 'no room'));

interface Given {
  readonly flags?: readonly TorrentFlag[];
  readonly stats?: Partial<TorrentStats>;
  readonly facts?: Parameters<typeof factsOf>[0];
}

function stateFor({ flags = [], stats = {}, facts = {} }: Given): TorrentState {
  const bits = flags.reduce((sum, flag) => sum | TORRENT_FLAGS[flag], 0);
  return stateOf(factsOf(facts), { ...emptyStats(), ...stats, flags: bits });
}

const MAGNET = { hasMetadata: false };
const ROWS: readonly (readonly [TorrentState, Given])[] = [
  ['missingFiles', { flags: ['filesMissing', 'completed', 'paused'], facts: { error: DISK_FULL } }],
  ['error', { flags: ['moving', 'paused'], facts: { error: DISK_FULL } }],
  ['moving', { flags: ['moving', 'completed', 'paused'] }],
  ['metaDL', { flags: ['queued'], facts: MAGNET }],
  ['forcedMetaDL', { flags: ['forceStart'], facts: MAGNET }],
  ['stoppedDL', { flags: ['paused', 'forceStart'], facts: MAGNET }],
  ['checkingUP', { flags: ['verifying', 'completed', 'paused'] }],
  ['checkingDL', { flags: ['verifying', 'queued'] }],
  ['stoppedUP', { flags: ['paused', 'completed', 'forceStart'] }],
  ['stoppedDL', { flags: ['paused'] }],
  ['queuedUP', { flags: ['queued', 'completed'] }],
  ['queuedDL', { flags: ['queued'] }],
  ['forcedUP', { flags: ['forceStart', 'completed'] }],
  ['forcedDL', { flags: ['forceStart'], stats: { downloadRate: 5 } }],
  ['uploading', { flags: ['completed'], stats: { uploadRate: 5 } }],
  ['stalledUP', { flags: ['completed'], stats: { uploadRate: 0.2 } }],
  ['downloading', { stats: { downloadRate: 5 } }],
  ['stalledDL', { stats: { uploadRate: 5 } }],
];

for (const [state, given] of ROWS) {
  void t.test(`${state}: ${JSON.stringify(given)}`, (t) => {
    t.equal(stateFor(given), state);
    t.end();
  });
}

const ALL = [...new Set(ROWS.map(([state]) => state))];
const LET_THROUGH: Readonly<Record<string, readonly TorrentState[]>> = {
  downloading: [
    'metaDL',
    'forcedMetaDL',
    'checkingDL',
    'stoppedDL',
    'queuedDL',
    'forcedDL',
    'downloading',
    'stalledDL',
  ],
  seeding: ['checkingUP', 'queuedUP', 'forcedUP', 'uploading', 'stalledUP'],
  completed: ['checkingUP', 'stoppedUP', 'queuedUP', 'forcedUP', 'uploading', 'stalledUP'],
  stopped: ['stoppedUP', 'stoppedDL'],
  paused: ['stoppedUP', 'stoppedDL'],
  running: ALL.filter((state) => !state.startsWith('stopped')),
  resumed: ALL.filter((state) => !state.startsWith('stopped')),
  active: ['metaDL', 'forcedMetaDL', 'forcedUP', 'forcedDL', 'uploading', 'downloading'],
  stalled: ['stalledUP', 'stalledDL'],
  stalled_uploading: ['stalledUP'],
  stalled_downloading: ['stalledDL'],
  checking: ['checkingUP', 'checkingDL'],
  moving: ['moving'],
  errored: ['missingFiles', 'error'],
};

void t.test('filters', (t) => {
  for (const [name, states] of Object.entries(LET_THROUGH)) {
    const filter = filterNamed(name);
    t.strictSame(new Set(ALL.filter((state) => filter?.({ state, upspeed: 0 }))), new Set(states), name);
  }
  const [active, inactive] = [filterNamed('active'), filterNamed('inactive')];
  for (const state of ALL) t.not(active?.({ state, upspeed: 0 }), inactive?.({ state, upspeed: 0 }), state);
  t.ok(active?.({ state: 'stalledDL', upspeed: 1 }), 'it gives while it waits');
  t.strictSame([filterNamed('all'), filterNamed(undefined), filterNamed('other')], [null, null, null]);
  t.end();
});
