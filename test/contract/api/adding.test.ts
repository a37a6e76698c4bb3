// What is wanted of a torrent from its beginning, through the three ways to add one: what reaches the engine, what is refused
// by its name before anything is stored, and that nobody asks for more than its own share.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { multipart, startHarness } from '../../support/api-harness.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';

const magnet = (nth: number) => `magnet:?xt=urn:btih:${String(nth).padStart(40, '0')}&dn=m`;
const made = (seed: number) =>
  makeTorrent({ name: `wished-${seed}`, pieceLength: 16_384, files: seededBytes(seed, 40_000) });
const POLICY = { use_global: false, ratio_limit: 1.5, time_min_limit: null };
const WISHES = {
  name: 'of mine',
  seed_policy: POLICY,
  rate_limits: { down_kbps: 10, up_kbps: 0.5 },
  file_priorities: { 0: 'high' },
  first_last_first: true,
  force_start: true,
  queue_position: 'top',
  stop_after: 'check',
  skip_check: true,
};
const ASKED = {
  library: { name: 'of mine', seedPolicy: { ratioLimit: 1.5, minutesLimit: null } },
  rateLimits: { downBytesPerSec: 10_240, upBytesPerSec: 0 },
  filePriorities: { 0: 'high' },
  firstLastFirst: true,
  forceStart: true,
  isFirstInQueue: true,
  stopAfter: 'check',
  skipCheck: true,
};

async function start(t: { teardown(end: () => Promise<void>): void }, args: readonly string[] = []) {
  const harness = await startHarness({ args });
  t.teardown(() => harness.close());
  const headers = { authorization: `Bearer ${await harness.apiKey()}` };
  const post = (path: string, body: unknown, as = headers) => harness.call('POST', path, { headers: as, body });
  const upload = (fields: Record<string, string | Uint8Array>, as = headers) => {
    const { headers: type, body } = multipart(fields);
    return harness.call('POST', '/api/torrents/file', { headers: { ...as, ...type }, body });
  };
  const tag = async (name: string) => (await post('/api/tags', { name, color: '' })).json<{ id: number }>().id;
  return { harness, headers, post, upload, tag };
}

const inForm = (wishes: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(wishes).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  );

void t.test('the same wishes by magnet, by file and by URL', async (t) => {
  const files = createServer((_request, response) => response.end(made(9).torrentBytes));
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  t.teardown(() => void files.close());
  const { harness, post, upload, tag } = await start(t, ['--fetch-allow', '127.0.0.1/32']);
  const tags = [await tag('one'), await tag('two')];
  const wishes = { ...WISHES, tags: [tags[1], tags[0], tags[1]] };
  const url = `http://127.0.0.1:${(files.address() as AddressInfo).port}/a.torrent`;
  const answers = [
    await post('/api/torrents/magnet', { magnet: magnet(1), ...wishes }),
    await upload({ file: made(1).torrentBytes, ...inForm(wishes) }),
    await post('/api/torrents/url', { url, ...wishes }),
    await post('/api/torrents/url', { url: magnet(2), ...wishes }),
  ];
  t.same(answers.map(({ status }) => status), [200, 200, 200, 200]); // prettier-ignore
  const asked = { ...ASKED, library: { ...ASKED.library, tagIds: [tags[1], tags[0]] } };
  t.match(harness.engine.added, [asked, asked, asked, asked]);
});

void t.test('a rule of its own, of which parts are inherited, beats a policy', async (t) => {
  const { harness, post, upload } = await start(t);
  const wishes = { seed_policy: POLICY, seeding_rule: { inactive_min_limit: 30, action: 'remove' } };
  await post('/api/torrents/magnet', { magnet: magnet(1), ...wishes });
  await upload({ file: made(1).torrentBytes, ...inForm(wishes) });
  const seedPolicy = {
    ratioLimit: 'inherited',
    minutesLimit: 'inherited',
    inactiveMinutesLimit: 30,
    action: 'remove',
  };
  t.match(harness.engine.added, [{ library: { seedPolicy } }, { library: { seedPolicy } }]);
});

void t.test('names that are excluded: those of the settings, or of the add itself', async (t) => {
  const { harness, headers, post, upload } = await start(t);
  const patterns = ['*.exe', 'sample'];
  const body = { excluded_file_names: patterns };
  t.equal((await harness.call('PUT', '/api/settings/adding', { headers, body })).status, 200);
  await post('/api/torrents/magnet', { magnet: magnet(1) });
  await upload({ file: made(1).torrentBytes });
  await post('/api/torrents/magnet', { magnet: magnet(2), excluded_file_names: ['*.nfo'] });
  await upload({ file: made(2).torrentBytes, excluded_file_names: '[]' });
  t.same(
    harness.engine.added.map(({ excludedNames }) => excludedNames),
    [patterns, patterns, ['*.nfo'], undefined],
  );
});

void t.test('nothing is wanted where nothing is said', async (t) => {
  const { harness, post, upload } = await start(t);
  const nothing = Object.fromEntries([...Object.keys(WISHES), 'tags'].map((name) => [name, null]));
  const empty = Object.fromEntries(Object.keys(nothing).map((name) => [name, '']));
  await post('/api/torrents/magnet', { magnet: magnet(1), ...nothing });
  await upload({ file: made(1).torrentBytes, ...empty });
  t.equal(harness.engine.added.length, 2);
  for (const asked of harness.engine.added) {
    t.match(asked, {
      firstLastFirst: false,
      forceStart: false,
      isFirstInQueue: false,
      skipCheck: false,
      library: { tagIds: [] },
    });
    t.notOk(asked.rateLimits ?? asked.filePriorities ?? asked.stopAfter ?? asked.library?.seedPolicy);
  }
});

void t.test('what is wrong is named, and nothing is added', async (t) => {
  const { harness, post, upload, tag } = await start(t);
  const tags = await Promise.all(Array.from({ length: 60 }, (_, i) => tag(`${i}`.padEnd(100, 'x'))));
  const wrong: readonly (readonly [fields: object, status: number, error: string | RegExp])[] = [
    [{ tags: [999_999] }, 404, 'tag not found'],
    [{ tags: 1 }, 400, /^tags: expected array/],
    [{ tags: Array.from({ length: 101 }, () => 1) }, 400, 'tags: at most 100 items'],
    [{ tags }, 400, 'tags: the torrent has no room for it: at most 5120 bytes of them'],
    [{ seed_policy: { use_global: false } }, 400, 'seed_policy.ratio_limit: required'],
    [{ seeding_rule: { action: 'tag' } }, 400, 'seeding_rule.tag_id: required'],
    [{ seeding_rule: { action: 'tag', tag_id: 999_999 } }, 404, 'tag not found'],
    [{ seeding_rule: { ratio_limit: -1 } }, 400, 'seeding_rule.ratio_limit: must not be negative'],
    [{ rate_limits: { down_kbps: 1 } }, 400, 'rate_limits.up_kbps: required'],
    [{ rate_limits: { down_kbps: -1, up_kbps: 1 } }, 400, 'rate_limits.down_kbps: must not be negative'],
    [{ file_priorities: { a: 'skip' } }, 400, 'file_priorities.a: expected file indices as keys'],
    [{ file_priorities: { 0: 'often' } }, 400, 'file_priorities.0: expected skip or normal or high or max'],
    [{ excluded_file_names: ['a/b'] }, 400, /^excluded_file_names\.0: expected the name of a file/],
    [{ queue_position: 'middle' }, 400, 'queue_position: expected top or bottom'],
    [{ stop_after: 'lunch' }, 400, 'stop_after: expected metadata or check'],
    [{ force_start: 'yes' }, 400, /^force_start: expected /],
    [{ first_last_first: 7 }, 400, /^first_last_first: expected /],
    [{ skip_check: 'maybe' }, 400, /^skip_check: expected /],
  ];
  for (const [fields, status, error] of wrong) {
    const byMagnet = await post('/api/torrents/magnet', { magnet: magnet(1), ...fields });
    t.match([byMagnet.status, byMagnet.json()], [status, { error }]);
    const byFile = await upload({ file: made(1).torrentBytes, ...inForm(fields) });
    t.match([byFile.status, byFile.json()], [status, { error }]);
  }
  t.match((await upload({ file: made(1).torrentBytes, tags: '[1' })).json(), { error: 'tags: not valid JSON' });
  const long = await upload({ file: made(1).torrentBytes, file_priorities: `{"0":"skip"${' '.repeat(300_000)}}` });
  t.match([long.status, long.json()], [400, { error: 'file_priorities: too long' }]);
  t.same(harness.engine.added, []);
});

void t.test('many priorities fit into a form', async (t) => {
  const { harness, upload } = await start(t);
  const priorities = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [index, 'skip']));
  t.equal((await upload({ file: made(1).torrentBytes, ...inForm({ file_priorities: priorities }) })).status, 200);
  t.equal(Object.keys(harness.engine.added[0]?.filePriorities ?? {}).length, 10_000);
});

void t.test('a torrent that the caller may edit is not changed; another account asks for its own share', async (t) => {
  const { harness, headers, post } = await start(t);
  await post('/api/users', { username: 'bob', password: 'eight or more', perm_add_torrents: true });
  const login = await harness.call('POST', '/api/login', { body: { username: 'bob', password: 'eight or more' } });
  const bob = { cookie: String(login.headers['set-cookie']?.[0]).split(';')[0]!, origin: harness.daemon.url };
  await post('/api/torrents/magnet', { magnet: magnet(1) });
  t.equal((await post('/api/torrents/magnet', { magnet: magnet(1), ...WISHES })).status, 200);
  t.same(harness.engine.joined, []);
  const asBob = { headers: bob, body: { magnet: magnet(1), ...WISHES } };
  t.equal((await harness.call('POST', '/api/torrents/magnet', asBob)).status, 200);
  t.match(harness.engine.joined, [{ ownerId: 2, ...ASKED }]);
  const [shown] = (await harness.call('GET', '/api/torrents', { headers })).json<Record<string, unknown>[]>();
  t.match(shown, { force_start: false, queue_position: 0 }, 'the first one sees nothing of it');
});
