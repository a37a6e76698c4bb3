// Whose torrents an export holds.
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { makeTorrent, seededBytes } from '../support/make-torrent.js';

const PIECE = 16_384;
t.setTimeout(120_000);

void t.test('an account exports what it may edit, and an administrator all', async (t) => {
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const add = (seed: number) =>
    daemon.addTorrentFile(
      makeTorrent({ name: `t${seed}`, pieceLength: PIECE, files: seededBytes(seed, PIECE) }).torrentBytes,
    );
  const [own, edited, viewed] = [await add(1), await add(2), await add(3)];
  const password = 'bobs password';
  const { json: bob } = await daemon.api<{ id: number }>('POST', '/api/users', { username: 'bob', password });
  for (const [id, access] of [
    [edited, 'editor'],
    [viewed, 'viewer'],
  ] as const)
    await daemon.api('POST', `/api/torrents/${id}/shares`, { user_id: bob.id, access });
  const login = await fetch(`${daemon.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'bob', password }),
  });
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  const exported = async (headers: Record<string, string>) => {
    const answer = await fetch(`${daemon.url}/api/export`, { headers });
    t.equal(answer.headers.get('content-type'), 'application/zip');
    return Buffer.from(await answer.arrayBuffer()).toString('latin1');
  };
  const bobs = await exported({ cookie });
  t.match(bobs, `BT_backup/${edited}.fastresume`);
  t.match(bobs, `BT_backup/${edited}.torrent`);
  for (const id of [own, viewed]) t.notMatch(bobs, id);
  const all = (await daemon.download('/api/export')).bytes.toString('latin1');
  for (const id of [own, edited, viewed]) t.match(all, `BT_backup/${id}.fastresume`);

  const head = await fetch(`${daemon.url}/api/export`, { method: 'HEAD', headers: { cookie } });
  t.equal(head.status, 200);
  t.equal((await fetch(`${daemon.url}/api/export`)).status, 401);
});
