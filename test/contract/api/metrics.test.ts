// What Prometheus is told, over HTTP, of an engine whose numbers the test sets.
import t, { type Test } from 'tap';
import { parseInfoHash } from '../../../shared-protocol/ids.js';
import { TORRENT_FLAGS } from '../../../shared-protocol/stats-table.js';
import { startHarness } from '../../support/api-harness.js';
import { wantsGroup } from '../../support/own-engine.js';

const { paused, completed, verifying, filesMissing } = TORRENT_FLAGS;

/** The engine of the tests alone, or the first one of several. */
const ENGINE_UP = wantsGroup() ? 'swarmd_engine_up{engine="first"}' : 'swarmd_engine_up';

const start = async (t: Test) => {
  const harness = await startHarness();
  t.teardown(() => harness.close());
  const headers = { authorization: `Bearer ${await harness.apiKey()}` };
  return {
    harness,
    headers,
    scrape: () => harness.call('GET', '/metrics', { headers }),
    async add(digit: string) {
      const id = parseInfoHash(digit.repeat(40))!;
      const body = { magnet: `magnet:?xt=urn:btih:${id}` };
      t.equal((await harness.call('POST', '/api/torrents/magnet', { headers, body })).status, 200);
      return id;
    },
  };
};

/** By name and labels; each line of the text format is a comment or a sample. */
function samplesOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

void t.test('each torrent is counted in one state, and all that they move is added up', async (t) => {
  const { harness, add, scrape } = await start(t);
  const [resting, seeding, checked, lost, magnet] = [
    await add('a'),
    await add('b'),
    await add('c'),
    await add('d'),
    await add('e'),
  ];
  harness.engine.setFacts(resting, {
    hasMetadata: true,
    totalBytes: 1_000,
    error: { code: 'DISK_FULL', message: 'disk full' },
  });
  harness.engine.setStats(resting, { flags: paused, bytesDone: 400, totalDown: 450, totalUp: 50 });
  harness.engine.setStats(seeding, { flags: completed, uploadRate: 70, peers: 3, totalDown: 0, totalUp: 9_000 });
  harness.engine.setStats(checked, { flags: verifying | completed });
  harness.engine.setStats(lost, { flags: filesMissing | paused });
  harness.engine.setStats(magnet, { downloadRate: 30, peers: 2 });
  const answer = await scrape();
  t.equal(answer.status, 200);
  t.match(answer.headers['content-type'], /^text\/plain; version=0\.0\.4/);
  const samples = samplesOf(answer.text);
  const states = [...samples].filter(([name, value]) => name.startsWith('swarmd_torrents{') && value > 0);
  t.same(Object.fromEntries(states), {
    'swarmd_torrents{state="missing"}': 1,
    'swarmd_torrents{state="verifying"}': 1,
    'swarmd_torrents{state="paused"}': 1,
    'swarmd_torrents{state="metadata"}': 1,
    'swarmd_torrents{state="seeding"}': 1,
  });
  t.equal(samples.get('swarmd_torrents_failed'), 1);
  t.equal(samples.get('swarmd_torrents_size_bytes'), 1_000);
  t.equal(samples.get('swarmd_torrents_verified_bytes'), 400);
  t.equal(samples.get('swarmd_torrents_downloaded_bytes'), 450);
  t.equal(samples.get('swarmd_torrents_uploaded_bytes'), 9_050);
  t.equal(samples.get('swarmd_download_bytes_per_second'), 30);
  t.equal(samples.get('swarmd_upload_bytes_per_second'), 70);
  t.equal(samples.get('swarmd_peers'), 5);
  t.equal(samples.get(ENGINE_UP), 1);
  t.ok(samples.get('process_resident_memory_bytes'), 'and the process itself');
});

void t.test('asked twice it says the same, and a torrent that is gone is not counted any more', async (t) => {
  const { harness, headers, add, scrape } = await start(t);
  const id = await add('a');
  const count = async () => samplesOf((await scrape()).text).get('swarmd_torrents{state="metadata"}');
  t.equal(await count(), 1);
  t.equal(await count(), 1);
  t.equal((await harness.call('DELETE', `/api/torrents/${id}`, { headers })).status, 200);
  t.equal(await count(), 0);
});

void t.test('without an engine there is an answer, which says so', async (t) => {
  const { harness, add, scrape } = await start(t);
  await add('a');
  let load = () => {};
  harness.engine.startHeldBy = new Promise((resolve) => (load = resolve));
  harness.transport().kill('test');
  const { status, text } = await scrape();
  const samples = samplesOf(text);
  t.equal(status, 200);
  t.equal(samples.get(ENGINE_UP), 0);
  t.equal(samples.get('swarmd_torrents{state="metadata"}'), 1, 'the list is there still');
  // Of several the others answer.
  if (!wantsGroup()) t.notMatch(text, /swarmd_engine_connections/);
  load();
});
