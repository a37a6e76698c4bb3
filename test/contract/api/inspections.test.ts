// A torrent file is looked at before it is added: what is told of it, what is kept back, and that nothing comes of it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { multipart, startHarness } from '../../support/api-harness.js';
import { makeTorrent, seededBytes } from '../../support/make-torrent.js';

const MANY = 10_050;
const PASSKEY = '0123456789abcdef0123456789abcdef';
const MADE = makeTorrent({
  name: 'looked at',
  pieceLength: 16_384,
  files: [
    { path: ['Season 1', 'one.mkv'], bytes: seededBytes(1, 20_000) },
    { path: ['..', 'two'], bytes: seededBytes(2, 10_000) },
  ],
  padFiles: true,
  private: true,
  trackers: [[`https://tracker.example/${PASSKEY}/announce`, `udp://tracker.example:80/${PASSKEY}`]],
});

async function start(t: { teardown(end: () => Promise<void> | void): void }) {
  const served = { path: '/a.torrent', redirect: '' };
  const files = createServer((request, response) => {
    if (request.url === '/magnet') return response.writeHead(302, { location: served.redirect }).end();
    return request.url === served.path ? response.end(MADE.torrentBytes) : response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
  t.teardown(() => void files.close());
  const harness = await startHarness({ args: ['--fetch-allow', '127.0.0.1/32'] });
  t.teardown(() => harness.close());
  const headers = { authorization: `Bearer ${await harness.apiKey()}` };
  const inspect = (file: Uint8Array, fields: Record<string, string> = {}) => {
    const { headers: type, body } = multipart({ file, ...fields });
    return harness.call('POST', '/api/torrents/inspect', { headers: { ...headers, ...type }, body });
  };
  const root = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  const inspectUrl = (path: string) =>
    harness.call('POST', '/api/torrents/inspect_url', { headers, body: { url: root + path } });
  return { harness, headers, served, inspect, inspectUrl };
}

void t.test('what is in it, without passkeys, by file and by URL, and nothing is added', async (t) => {
  const { harness, headers, served, inspect, inspectUrl } = await start(t);
  const expected = {
    id: MADE.infoHash,
    name: 'looked at',
    total_bytes: 30_000,
    piece_length: 16_384,
    piece_count: 3,
    private: true,
    file_count: 2,
    files: [
      { index: 0, path: 'looked at/Season 1/one.mkv', size: 20_000 },
      { index: 2, path: 'looked at/_/two', size: 10_000 },
    ],
    trackers: ['tracker.example', 'tracker.example:80'],
  };
  for (const answer of [await inspect(MADE.torrentBytes), await inspectUrl('/a.torrent')]) {
    t.equal(answer.status, 200);
    t.same(answer.json(), expected);
    t.notOk(answer.text.includes(PASSKEY));
  }
  t.same(harness.engine.ids, []);
  served.redirect = `magnet:?xt=urn:btih:${MADE.infoHash}`;
  for (const [path, error] of [['/magnet', /^url: what is in a magnet/], ['/gone', /^url: /]] as const) {
    const answer = await inspectUrl(path);
    t.match([answer.status, answer.json()], [400, { error }]);
  } // prettier-ignore
  t.equal((await harness.call('GET', '/api/torrents', { headers })).text, '[]');
});

void t.test('files that would be skipped by their names are told', async (t) => {
  const { harness, headers, inspect } = await start(t);
  const body = { excluded_file_names: ['looked*', 'season ?', 'season ?'] };
  t.equal((await harness.call('PUT', '/api/settings/adding', { headers, body })).status, 200);
  const { files } = (await inspect(MADE.torrentBytes)).json<{ files: unknown[] }>();
  t.same(files, [
    { index: 0, path: 'looked at/Season 1/one.mkv', size: 20_000, excluded: true },
    { index: 2, path: 'looked at/_/two', size: 10_000 },
  ]);
  const shown = await harness.call('GET', '/api/settings/adding', { headers });
  t.same(shown.json<{ excluded_file_names: unknown }>().excluded_file_names, ['looked*', 'season ?'], 'each once');
});

void t.test(
  'it is told the same whether there is such a torrent, and files beyond a number are counted only',
  async (t) => {
    const { harness, headers, inspect } = await start(t);
    const before = (await inspect(MADE.torrentBytes)).text;
    const { headers: type, body } = multipart({ file: MADE.torrentBytes });
    await harness.call('POST', '/api/torrents/file', { headers: { ...headers, ...type }, body });
    t.equal((await inspect(MADE.torrentBytes)).text, before);
    const files = Array.from({ length: MANY }, (_, nth) => ({ path: [`${nth}`], bytes: new Uint8Array(2) }));
    const many = (await inspect(makeTorrent({ name: 'many', pieceLength: 16_384, files }).torrentBytes)).json<{
      files: unknown[];
    }>();
    t.match(many, { file_count: MANY, total_bytes: 2 * MANY });
    t.equal(many.files.length, 10_000);
  },
);

void t.test('it is bounded as an add', async (t) => {
  const { inspect } = await start(t);
  const large = await inspect(Buffer.alloc(10 * 1024 * 1024 + 1));
  t.match([large.status, large.json()], [400, { error: 'file: larger than 10 MiB' }]);
  t.match((await inspect(Buffer.from('d4:infoi1ee'))).json(), { error: /^torrent: / });
  t.match((await inspect(MADE.torrentBytes, { stop_after: 'lunch' })).json(), { error: /^stop_after: / });
});
