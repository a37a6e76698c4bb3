// Forms that are larger than any tool's: refused before they cost time or memory, whoever sends them.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import t, { type Test } from 'tap';
import { startToolScene, type Tool } from '../../../support/qbittorrent-scene.js';

const KIB = 1024;
const BOUNDARY = 'x';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const PARTS = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'transfer-encoding': 'chunked' };

const sequence = (count: number): string[] => Array.from({ length: count }, (_, n) => n.toString(36));

async function start(t: Test) {
  const scene = await startToolScene(t);
  const post = (path: string, body: string, headers: Tool['headers'] = scene.bob.headers) =>
    scene.harness.call('POST', `/api/v2/${path}`, { headers: { ...headers, ...FORM }, body });
  return { ...scene, post };
}

void t.test('who has not signed in sends a name and a password, and no more', async (t) => {
  const { post } = await start(t);
  t.match(await post('auth/login', 'username=admin&password=wrong', {}), { status: 200, text: 'Fails.' });
  t.match(await post('auth/login', `username=admin&password=${'x'.repeat(20 * KIB)}`, {}), { status: 413 });
  t.match(await post('auth/login', sequence(2_000).join('&'), {}), { status: 400, text: /^body: at most/ });
});

void t.test('fields and names without end are refused', async (t) => {
  const { post, bob } = await start(t);
  t.match(await post('app/version', sequence(150_000).join('&')), { status: 400, text: /^body: at most/ });
  const hashes = sequence(150_000).join('|');
  for (const path of ['torrents/downloadLimit', 'torrents/info', 'torrents/stop', 'torrents/reannounce']) {
    t.match(await post(path, `hashes=${hashes}`), { status: 400, text: /^hashes: at most/ }, path);
  }
  const all = Array.from({ length: 20_000 }, (_, n) => n.toString(16).padStart(40, '0'));
  const delay = monitorEventLoopDelay();
  delay.enable();
  const answer = await bob.post('torrents/downloadLimit', { hashes: all.join('|') });
  t.equal(Object.keys(answer.json()).length, all.length, 'as many as anybody has');
  t.ok(delay.max < 2e9);
});

void t.test('fields of a form in parts are bounded together, whatever length is declared', async (t) => {
  const { harness, bob } = await start(t);
  const part = (name: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${'v'.repeat(400 * KIB)}\r\n`;
  const send = (count: number) => {
    const body = sequence(count).map(part).join('') + `--${BOUNDARY}--\r\n`;
    return harness.call('POST', '/api/v2/app/version', { headers: { ...bob.headers, ...PARTS }, body });
  };
  t.match(await send(2), { status: 200 });
  t.match(await send(20), { status: 400, text: /too long/ });
});
