// The whole way of somebody who moves: another program with a library is stopped, Swarmd imports its state, seeds what is whole to
// a peer, serves nothing that has been changed, and the other program goes on with its own as before.
import { mkdir, open, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { startDaemon, type DaemonUnderTest, type TorrentView } from '../daemon.js';
import { libtorrent } from '../peers/index.js';
import { makeScratch } from '../peers/scratch.js';
import { waitUntil } from '../peers/wait-until.js';
import type { ForeignClient, ForeignFacts } from './foreign-client.js';
import { writeLibrary, type OwnedTorrent } from './library.js';

const TIMEOUT_MS = 60_000;

type ShownTorrent = TorrentView & { readonly added_at: number; readonly category_id: number | null };

interface Report {
  readonly id: number;
  readonly state: string;
  readonly error: string | null;
  readonly total: number;
  readonly imported: number;
  readonly magnets: number;
  readonly existed: number;
  readonly skipped: number;
  readonly torrents: readonly { readonly record: string; readonly result: string; readonly reason: string | null }[];
}

export async function importAll(daemon: DaemonUnderTest, body: object): Promise<Report> {
  const begun = await daemon.api<{ id: number }>('POST', '/api/import', body);
  if (begun.status !== 200) throw new Error(JSON.stringify(begun.json));
  return waitUntil('import ended', TIMEOUT_MS, async () => {
    const { json } = await daemon.api<Report>('GET', `/api/import/${begun.json.id}`);
    return json.state === 'running' ? undefined : json;
  });
}

export async function testImport(t: Test, client: ForeignClient): Promise<void> {
  const scratch = await makeScratch(`import-${client.from}`);
  t.teardown(() => scratch.remove());
  const [home, downloads] = [join(scratch.path, 'home'), join(scratch.path, 'downloads')];
  await Promise.all([mkdir(home), mkdir(downloads)]);
  const torrents = await writeLibrary(downloads, client.keepsOddNames);
  const state = await client.collect(home, downloads, torrents);
  // As a disk may have changed it: size and time are those that were recorded.
  await flipByte(join(downloads, 'more 0.bin'));
  const daemon = await startDaemon();
  t.teardown(() => daemon.stop());
  const body = { from: client.from, path: state.path };

  const dry = await importAll(daemon, { ...body, dry_run: true });
  t.match(dry, { state: 'done', total: torrents.length, imported: torrents.length - 1, magnets: 1, skipped: 0 });
  t.equal((await daemon.torrents()).length, 0, 'a dry run adds nothing');

  const report = await importAll(daemon, body);
  t.match(
    report,
    { state: 'done', imported: torrents.length - 1, magnets: 1, existed: 0, skipped: 0 },
    JSON.stringify(report),
  );
  const listed = new Map(
    ((await daemon.torrents()) as readonly ShownTorrent[]).map((torrent) => [torrent.id, torrent]),
  );
  t.equal(listed.size, torrents.length);
  for (const torrent of torrents) {
    const facts = state.facts.get(torrent.made.infoHash);
    const shown = listed.get(torrent.made.infoHash);
    if (facts && shown) compare(t, torrent, shown, facts);
  }

  const many = listed.get(torrents.find(({ key }) => key === 'many')!.made.infoHash)!;
  const { json: categories } = await daemon.api<{ id: number; name: string }[]>('GET', '/api/categories');
  t.equal(categories.find(({ id }) => id === many.category_id)?.name ?? null, client.category);

  const again = await importAll(daemon, body);
  t.match(again, { state: 'done', imported: 0, magnets: 0, existed: torrents.length, skipped: 0 }, 'twice is as once');

  await t.test('what it took over is seeded', async (t) => {
    for (const key of ['whole', 'many', 'renamed', 'odd'])
      await leech(
        t,
        daemon,
        torrents.find((one) => one.key === key)!,
      );
  });
  await t.test('what was changed is not', async (t) => {
    const { made } = torrents.find(({ key }) => key === 'more0')!;
    const peer = await libtorrent.start();
    t.teardown(() => peer.close());
    const target = await makeScratch('changed');
    t.teardown(() => target.remove());
    await peer.leech(made.torrentBytes, target.path);
    await daemon.addPeers(made.infoHash, peer.address);
    const seen = await daemon.waitFor(
      made.infoHash,
      ({ completed, verifying }) => !completed && !verifying,
      TIMEOUT_MS,
    );
    t.ok(seen.bytes_done < made.payload.length, 'the piece that is wrong is found when it is asked for');
  });
  await t.resolves(state.loadAgain(torrents.length), 'the other program has what it had');
}

function compare(t: Test, { key, made }: OwnedTorrent, shown: ShownTorrent, facts: ForeignFacts): void {
  t.equal(shown.bytes_done, facts.bytesDone, `${key}: bytes`);
  t.equal(shown.verifying, false, `${key}: nothing is hashed`);
  t.equal(shown.files_missing, false, `${key}: files are found`);
  t.equal(shown.paused, facts.isPaused, `${key}: paused`);
  if (facts.bytesDone === made.payload.length) t.equal(shown.completed, true, `${key}: complete`);
  t.equal(shown.added_at, facts.addedAt, `${key}: added`);
}

async function leech(t: Test, daemon: DaemonUnderTest, { made, key, name, files }: OwnedTorrent): Promise<void> {
  const target = await makeScratch('leech');
  t.teardown(() => target.remove());
  const peer = await libtorrent.start();
  t.teardown(() => peer.close());
  await peer.leech(made.torrentBytes, target.path);
  await daemon.addPeers(made.infoHash, peer.address);
  await waitUntil(`${key} fetched`, TIMEOUT_MS, async () => (await peer.progress()).isSeeding || undefined);
  const first = files.length === 0 ? name : join(name, files[0]!);
  const bytes = await readFile(join(target.path, first));
  t.same(bytes, made.payload.subarray(0, bytes.length), `${key}: as it was`);
}

async function flipByte(path: string): Promise<void> {
  const { atime, mtime } = await stat(path);
  const handle = await open(path, 'r+');
  const byte = Buffer.alloc(1);
  await handle.read(byte, 0, 1, 20_000);
  byte[0]! ^= 1;
  await handle.write(byte, 0, 1, 20_000);
  await handle.close();
  await utimes(path, atime, mtime);
}
