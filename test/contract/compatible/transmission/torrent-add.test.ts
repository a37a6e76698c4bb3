// torrent-add: by file, magnet and URL, with what a tool wishes of it; twice; and by those who may not.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import t from 'tap';
import { startHarness } from '../../../support/api-harness.js';
import { makeTorrent, seededBytes } from '../../../support/make-torrent.js';
import { TransmissionTool } from '../../../support/transmission-rpc.js';
import { OWN, setTransmissionScene, torrentsOf, VIEWED } from '../../../support/transmission-scene.js';

const MAGNET = `magnet:?xt=urn:btih:${'e'.repeat(40)}&dn=e`;
const made = (seed: number) =>
  makeTorrent({ name: `added-${seed}`, pieceLength: 16_384, files: seededBytes(seed, 40_000) });
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

interface Told {
  readonly id: number;
  readonly name: string;
  readonly hashString: string;
}
type Answer = { readonly 'torrent-added'?: Told; readonly 'torrent-duplicate'?: Told };

void t.test('by file and by magnet; what is there already is a duplicate', async (t) => {
  const { ann, admin } = await setTransmissionScene(t);
  const file = made(1);
  const added = await ann.get<Answer>('torrent-add', { metainfo: base64(file.torrentBytes), paused: true });
  t.match(added, { 'torrent-added': { name: 'added-1', hashString: file.infoHash, id: 5 } });
  t.match(await torrentsOf(ann, ['status', 'name'], 5), [{ status: 0, name: 'added-1' }]);
  const again = await ann.get<Answer>('torrent-add', { metainfo: base64(file.torrentBytes) });
  t.same(again, { 'torrent-duplicate': added['torrent-added'] });
  t.match(await ann.get('torrent-add', { filename: MAGNET, paused: 'false' }), {
    'torrent-added': { name: 'e', id: 6 },
  });
  t.match(await ann.get('torrent-add', { filename: 'e'.repeat(40) }), { 'torrent-duplicate': { id: 6 } });
  const joined = await admin.get<Answer>('torrent-add', { filename: MAGNET });
  t.match(joined, { 'torrent-added': { id: 6 } }, 'another account holds one of its own');
  const both = await ann.get<Answer>('torrent-add', {
    filename: '/etc/passwd',
    metainfo: base64(made(2).torrentBytes),
  });
  t.match(both, { 'torrent-added': { name: 'added-2' } }, 'the file counts');
});

void t.test('what is no torrent, and who may not', async (t) => {
  const { ann, admin, harness } = await setTransmissionScene(t);
  const result = async (args: object) => (await ann.ask('torrent-add', args)).result;
  t.equal(await result({}), 'no filename or metainfo specified');
  t.equal(await result({ metainfo: '' }), 'no filename or metainfo specified');
  for (const args of [
    { metainfo: 'eA==' },
    { filename: '/etc/passwd' },
    { filename: 'magnet:?xt=x' },
    { filename: 'file:///etc/passwd' },
  ]) {
    t.equal(await result(args), 'invalid or corrupt torrent file', JSON.stringify(args));
  }
  t.match(await result({ filename: 'http://127.0.0.1:1/x' }), /^url: /, 'inside');
  t.equal(await result({ filename: MAGNET, 'download-dir': 'x' }), 'download directory path is not absolute');
  t.equal(await result({ filename: MAGNET, 'download-dir': '/etc' }), 'this account may not do that');
  t.match(await result({ filename: MAGNET, labels: ['x'] }), /there is no tag "x"/);
  t.match(await result({ filename: MAGNET, cookies: 'a=b\r\nc: d' }), /^cookies: /);
  t.match(await result({ filename: MAGNET, 'peer-limit': 1.5 }), /^peer_limit: /);
  t.match(await result({ metainfo: base64(made(1).torrentBytes), 'files-unwanted': [1] }), 'file index out of range');
  t.equal(harness.engine.ids.length, 4, 'nothing was added');
  const bob = await harness.call('POST', '/api/users', {
    headers: { authorization: `Bearer ${await harness.apiKey()}` },
    body: { username: 'bob', password: 'correct horse' },
  });
  t.equal(bob.status, 200);
  const viewer = new TransmissionTool(harness, 'bob', 'correct horse');
  t.equal((await viewer.ask('torrent-add', { filename: MAGNET })).result, 'this account may not do that');
  t.match(await admin.ask('torrent-get', { fields: ['id'], ids: [OWN, VIEWED] }), { result: 'success' });
});

void t.test('with wishes', async (t) => {
  const { ann, harness } = await setTransmissionScene(t, { perm_manage_cat_tags: true });
  const location = `${harness.filesDir}/shows`;
  const { 'torrent-added': added } = await ann.get<Answer>('torrent-add', {
    metainfo: base64(made(3).torrentBytes),
    ...{ 'download-dir': location, labels: ['Shows'], 'peer-limit': 9, 'priority-high': [0], bandwidthPriority: 1 },
  });
  const [torrent] = await torrentsOf(ann, ['downloadDir', 'labels', 'peer-limit'], added?.id);
  t.same(torrent, { downloadDir: location, labels: ['Shows'], 'peer-limit': 9 });
  t.match(harness.engine.added.at(-1), { filePriorities: { 0: 'high' }, paused: false });
});

void t.test('by URL, with a cookie for it alone', async (t) => {
  const asked: (string | undefined)[] = [];
  const other = createServer((request, response) => {
    asked.push(request.headers.cookie);
    response.end(made(4).torrentBytes);
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const first = createServer((request, response) => {
    asked.push(request.headers.cookie);
    response.writeHead(302, { location: `http://127.0.0.1:${(other.address() as AddressInfo).port}/x` }).end();
  });
  await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve));
  t.teardown(() => void [first, other].map((server) => server.close()));
  const harness = await startHarness({ args: ['--fetch-allow', '127.0.0.1/32'] });
  t.teardown(() => harness.close());
  const tool = new TransmissionTool(harness, 'admin', harness.password);
  const filename = `http://127.0.0.1:${(first.address() as AddressInfo).port}/x`;
  t.match(await tool.get('torrent-add', { filename, cookies: 'uid=1; pass=2' }), {
    'torrent-added': { name: 'added-4' },
  });
  t.same(asked, ['uid=1; pass=2', undefined]);
});

void t.test('by JSON-RPC', async (t) => {
  const { ann } = await setTransmissionScene(t);
  const call = { jsonrpc: '2.0', method: 'torrent_add', params: { metainfo: base64(made(5).torrentBytes) }, id: 1 };
  t.match((await ann.post(call)).json(), { result: { torrent_added: { hash_string: made(5).infoHash } }, id: 1 });
  t.match((await ann.post(call)).json(), { result: { torrent_duplicate: { name: 'added-5' } } });
  const broken = { ...call, params: { metainfo: 'eA==' } };
  t.match((await ann.post(broken)).json(), {
    error: { code: 9, data: { error_string: 'invalid or corrupt torrent file' } },
  });
});
