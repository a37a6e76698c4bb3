// The watch folder in a whole API process: a setting, files on disk, and torrents that are there afterwards. The polls
// follow a clock that the test moves.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { startHarness } from '../../support/api-harness.js';
import { makeTorrent } from '../../support/make-torrent.js';
import { VirtualClock } from '../../support/virtual-clock.js';
import { waitUntil } from '../../support/peers/wait-until.js';

const { torrentBytes, infoHash } = makeTorrent({ name: 'a', pieceLength: 16_384, files: new Uint8Array(100) });

async function start(t: Test) {
  const clock = new VirtualClock();
  const harness = await startHarness({ deps: { clock } });
  t.teardown(() => harness.close());
  const headers = { authorization: `Bearer ${await harness.apiKey()}` };
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await harness.call(method, `/api/${path}`, { headers, ...(body === undefined ? {} : { body }) });
    return [answer.status, answer.json<unknown>()] as const;
  };
  const folder = join(harness.filesDir, 'watch');
  await mkdir(folder, { recursive: true });
  /** Polls until the folder holds just these. */
  const pollUntil = async (...expected: string[]) => {
    let names: string[] = [];
    for (let turn = 0; turn < 40; turn++) {
      await clock.advance(5_000);
      // A poll reads files, which takes real time.
      await call('GET', 'version');
      names = (await readdir(folder)).sort();
      if (names.join() === expected.sort().join()) return;
    }
    throw new Error(`the folder holds ${names.join()}`);
  };
  return {
    harness,
    call,
    folder,
    pollUntil,
    watch: (change: object = {}) =>
      call('PUT', 'settings/watch_folder', { path: folder, delete_after_add: false, enabled: true, ...change }),
  };
}

void t.test('dropped files become torrents of the administrator at the global save path', async (t) => {
  const { harness, call, folder, pollUntil, watch } = await start(t);
  await writeFile(join(folder, 'a.torrent'), torrentBytes);
  await writeFile(join(folder, 'again.torrent'), torrentBytes);
  await writeFile(join(folder, 'bad.torrent'), 'hello');
  await writeFile(join(folder, 'b.magnet'), `magnet:?xt=urn:btih:${'b'.repeat(40)}`);
  t.same(await watch(), [200, { ok: true }]);
  await pollUntil('a.torrent.added', 'again.torrent.added', 'bad.torrent.invalid', 'b.magnet.added');
  const [, torrents] = await call('GET', 'torrents');
  const facts = (torrents as { id: string; save_path: string }[]).map(({ id, save_path }) => [id, save_path]);
  const savePath = harness.filesDir;
  t.same(
    facts.sort(),
    [
      [infoHash, savePath],
      ['b'.repeat(40), savePath],
    ].sort(),
  );
  t.same(await watch({ delete_after_add: true }), [200, { ok: true }]);
  await writeFile(join(folder, 'more.torrent'), torrentBytes);
  await pollUntil('a.torrent.added', 'again.torrent.added', 'bad.torrent.invalid', 'b.magnet.added');
});

void t.test('while the engine is away files wait, and none is invalid', async (t) => {
  const { harness, call, folder, pollUntil, watch } = await start(t);
  let load = () => {};
  harness.engine.startHeldBy = new Promise((resolve) => (load = resolve));
  harness.transport().kill('test');
  await watch({ delete_after_add: true });
  await writeFile(join(folder, 'a.torrent'), torrentBytes);
  await t.rejects(pollUntil(), /the folder holds a.torrent$/);
  load();
  await waitUntil('the file to be taken', 10_000, () =>
    pollUntil().then(
      () => true,
      () => undefined,
    ),
  );
  t.match(await call('GET', 'torrents'), [200, [{ id: infoHash }]]);
});
