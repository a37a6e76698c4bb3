// The state of Transmission 4 and 4.1, as their sources write it: records by info hash, times of files, magnets as links, the queue,
// bandwidth groups, and names of fields with underscores where they are asked for.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import bencode, { type BencodeInput } from 'bencode';
import t from 'tap';
import { openTransmission } from '../../../../../api/services/import/transmission/transmission.js';
import { StateDirectory } from '../../../../../api/services/import/state-directory.js';
import { makeTorrent } from '../../../../support/make-torrent.js';
import { inEnglish } from '../../../../support/import/in-english.js';

const BLOCK = 16_384;
const { torrentBytes, infoHash } = makeTorrent({
  name: 'multi',
  pieceLength: 2 * BLOCK,
  files: ['a', 'b', 'c'].map((name) => ({ path: [name], bytes: Buffer.alloc(2 * BLOCK) })),
  trackers: [['http://edited.example/announce']],
});
/** All of the first file, half of the second. */
const BLOCKS = Buffer.from([0b1110_0000]);
const RECORD = {
  ...{ 'added-date': 1_700_000_000, 'done-date': 0, 'activity-date': 1_700_000_200, corrupt: 0 },
  ...{ destination: '/done', 'incomplete-dir': '/half', uploaded: 5, downloaded: 6, paused: 0 },
  ...{ 'seeding-time-seconds': 7, 'downloading-time-seconds': 8, 'bandwidth-priority': 1, 'max-peers': 50 },
  ...{ sequentialDownload: 1, dnd: [0, 0, 1], priority: [0, 1, 0], files: ['new name/a', 'new name/ä', 'new name/c'] },
  ...{ name: 'new name', labels: ['old', 'kept'], group: 'night', is_queued: 0, queue_position: 1 },
  progress: { blocks: BLOCKS, pieces: Buffer.from([0x80]), mtimes: [1_700_000_100, 1_700_000_050, 0] },
  'speed-limit-down': { 'speed-Bps': 5_000, 'use-global-speed-limit': 1, 'use-speed-limit': 0 },
  'speed-limit-up': { 'speed-Bps': 9_000, 'use-global-speed-limit': 0, 'use-speed-limit': 1 },
  'ratio-limit': { 'ratio-limit': '2.500000', 'ratio-mode': 1 },
  'idle-limit': { 'idle-limit': 30, 'idle-mode': 2 },
};
const MADE_OF_IT = {
  savePath: '/half',
  completePath: '/done',
  ...{ paused: false, sequential: true, tags: ['old', 'kept'], incompleteSuffix: '.part' },
  rateLimits: { downBytesPerSec: 0, upBytesPerSec: 9_000 },
  seeding: { ratio: 2.5, minutes: 'inherited', inactiveMinutes: null },
  notes: [/bandwidth group "night"/, /speed limits of all/, /bandwidth priority/],
  state: {
    have: { of: 'blocks', bits: Uint8Array.from(BLOCKS), count: null },
    fileTimes: { kind: 'exact', seconds: [1_700_000_100, null, null] },
    filePriorities: ['normal', 'high', 'skip'],
    paths: [
      [0, ['new name', 'a']],
      [1, ['new name', 'ä']],
      [2, ['new name', 'c']],
    ],
    trackers: null,
    ...{ uploadedBytes: 5, downloadedBytes: 6, activeSeconds: 15, seedingSeconds: 7 },
    ...{ addedAt: 1_700_000_000, completedAt: 0, lastActivityAt: 1_700_000_200 },
  },
};

/** As with TR_SAVE_VERSION_FORMAT=5. */
function withUnderscores(value: BencodeInput | undefined): BencodeInput {
  if (value === undefined || typeof value !== 'object' || Array.isArray(value) || value instanceof Uint8Array)
    return value ?? '';
  const names: Record<string, string> = { sequentialDownload: 'sequential_download' };
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [names[key] ?? key.replaceAll('-', '_'), withUnderscores(each)]),
  );
}

async function writeState(home: string, records: Readonly<Record<string, BencodeInput>>): Promise<StateDirectory> {
  await mkdir(join(home, 'torrents'), { recursive: true });
  await mkdir(join(home, 'resume'), { recursive: true });
  for (const [name, record] of Object.entries(records)) {
    const isMagnet = name.endsWith('.magnet');
    await writeFile(join(home, 'torrents', name), isMagnet ? 'magnet:?xt=urn:btih:x\n' : torrentBytes);
    await writeFile(join(home, 'resume', name.replace(/\.\w+$/, '.resume')), bencode.encode(record));
  }
  return StateDirectory.open(home);
}

void t.test('a record of version 4, and one of 4.1 with underscores', async (t) => {
  const name = `${infoHash}.torrent`;
  for (const record of [RECORD, withUnderscores(RECORD)]) {
    const library = await openTransmission(await writeState(t.testdir(), { [name]: record }));
    t.same(library.entries, [name]);
    t.match(inEnglish(await library.read(name)), MADE_OF_IT);
  }
});

void t.test('what was complete once lies where it was brought', async (t) => {
  const read = async (given: object) => {
    const home = await writeState(t.testdir(), { 'a.torrent': { ...RECORD, ...given } });
    return (await openTransmission(home)).read('a.torrent');
  };
  t.match(await read({ 'done-date': 1_700_000_300 }), { savePath: '/done', completePath: '' });
  const whole = { progress: { blocks: 'all', pieces: 'all', mtimes: [1, 2, 3] } };
  t.match(await read(whole), {
    ...{ savePath: '/done', incompleteSuffix: '' },
    state: { have: 'all', fileTimes: { seconds: [1, 2, 3] } },
  });
  const nothing = { progress: { blocks: 'none', pieces: 'none', mtimes: [0, 0, 0] } };
  t.match((await read(nothing)).state, { have: 'none', fileTimes: { seconds: [null, null, null] } });
});

void t.test('trackers as a list that was edited, in a record', async (t) => {
  const trackers = 'http://a/\nhttp://b/\n\nhttp://c/\n';
  const home = await writeState(t.testdir(), { 'a.torrent': { ...RECORD, trackers } });
  const { state } = await (await openTransmission(home)).read('a.torrent');
  t.same(state.trackers, [['http://a/', 'http://b/'], ['http://c/']]);
});

void t.test('a magnet is a link; one whose metadata came is a torrent file', async (t) => {
  const { progress, dnd, priority, ...record } = RECORD;
  t.ok(progress && dnd && priority, 'which a magnet has none of');
  const home = await writeState(t.testdir(), { 'a.magnet': record, 'b.magnet': record, 'b.torrent': RECORD });
  const library = await openTransmission(home);
  t.same(library.entries, ['a.magnet', 'b.torrent']);
  t.match(await library.read('a.magnet'), {
    source: { kind: 'magnet', uri: 'magnet:?xt=urn:btih:x' },
    state: { have: 'none', fileTimes: null, filePriorities: null },
  });
});

void t.test('the order of the queue', async (t) => {
  const names = ['a.torrent', 'b.magnet', 'c.torrent', 'd.torrent'];
  const state = Object.fromEntries(names.map((name) => [name, RECORD]));
  const home = t.testdir();
  const entries = async (queue: string) => {
    const directory = await writeState(home, state);
    await writeFile(join(home, 'queue.json'), queue);
    const { entries, notes } = await openTransmission(directory);
    return { entries, notes: inEnglish(notes) };
  };
  const { entries: ordered, notes } = await entries('["d.torrent", "gone.torrent", 3, "b.magnet"]');
  t.same([ordered, notes], [['d.torrent', 'b.magnet', 'a.torrent', 'c.torrent'], []]);
  t.match(await entries('{"d.torrent": 1}'), { entries: names, notes: [/^queue.json: holds no JSON list/] });
  t.match(await entries('['), { entries: names, notes: [/^queue.json/] });
});

void t.test('bandwidth groups are named, and a file that cannot be read costs itself', async (t) => {
  const home = t.testdir({
    'bandwidth-groups.json': JSON.stringify({ night: { name: 'night', uploadLimit: 5, uploadLimited: true } }),
    'secret.json': '["a.torrent"]',
  });
  const directory = await writeState(home, { 'a.torrent': RECORD });
  await symlink(join(home, 'secret.json'), join(home, 'queue.json'));
  const { settings, notes, entries } = await openTransmission(directory);
  t.match(inEnglish(settings.leftOut), [{ name: 'bandwidth group night', reason: /group/ }]);
  t.same(inEnglish(notes), ['queue.json: is a symbolic link, which is not followed: nothing of it is taken over']);
  t.same(entries, ['a.torrent']);
});
