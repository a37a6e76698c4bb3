// Entries on a shared root that no engine of ours has written: an engine process takes none of them, begins all the same, says which
// they are, and has what is whole beside them.
import t, { type Test } from 'tap';
import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import bencode from 'bencode';
import { parseInfoHash, type AccountId, type TorrentId } from '../../../shared-protocol/ids.js';
import { encodeEntry } from '../../../storage/shared-roots/entry.js';
import type { StoredTorrent, TorrentRow } from '../../../storage/types.js';
import { EngineByHand } from '../../support/engine-by-hand.js';
import { TEST_ENGINE_OPTIONS } from '../../support/engine-options.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const LOST = 'c'.repeat(32);
/** Larger than any entry. */
const HUGE_BYTES = 2 ** 31;
const idOf = (n: number): TorrentId => parseInfoHash(n.toString(16).padStart(40, '0'));

async function scene(t: Test) {
  const base = await temporaryDirectory();
  const shared = join(base, 'shared');
  const folder = (engineId: string, kind = 'torrents') => join(shared, '.swarmd', 'engines', engineId, kind);
  await mkdir(shared, { mode: 0o700 });
  await mkdir(folder(LOST), { recursive: true, mode: 0o700 });
  await mkdir(join(shared, '.swarmd', 'metainfo'), { mode: 0o700 });
  const start = () => EngineByHand.start(t, join(base, 'engine'), shared);
  const told = (engine: EngineByHand) => {
    const ids: TorrentId[] = [];
    engine.front.onEvent((event) => {
      if (event.name === 'torrents.added') ids.push(...event.payload.torrents.map(({ id }) => id));
    });
    return ids;
  };
  return { base, shared, folder, start, told };
}

function entryOf(n: number, savePath: string, change: object = {}): StoredTorrent {
  const row: TorrentRow = {
    ...{
      id: idOf(n),
      ownerId: 1 as AccountId,
      savePath,
      addedAt: 1,
      completedAt: null,
      paused: true,
      sequential: false,
    },
    ...{ name: `torrent ${n}`, trackers: [], webSeeds: [], filePriorities: null, summary: null, selectOnly: null },
    ...change,
  };
  return { row, infoBytes: null, resume: null, claims: new Map(), pathLists: new Map() };
}

/** Entries in a folder, each of them of another kind; the one of `honest` is whole, but for its owner, who is nobody. */
async function forge(base: string, shared: string, folder: string) {
  const at = (n: number) => join(folder, idOf(n));
  const whole = (n: number, savePath = shared, change: object = {}) => encodeEntry(entryOf(n, savePath, change));
  const outside = join(base, 'outside');
  await mkdir(outside, { recursive: true });
  await writeFile(join(outside, 'entry'), whole(1));
  await symlink(join(outside, 'entry'), at(1));
  execFileSync('mkfifo', [at(2)]);
  await mkdir(at(3));
  await writeFile(at(4), '');
  await truncate(at(4), HUGE_BYTES);
  await writeFile(at(5), whole(5).subarray(0, 60));
  await writeFile(at(6), whole(7));
  const paths = [outside, '/etc', 'relative', join(shared, '..'), `${shared}/../outside`, join(shared, '.swarmd', 'x')];
  for (const [place, path] of paths.entries()) await writeFile(at(10 + place), whole(10 + place, path));
  await symlink(outside, join(shared, 'way-out'));
  await writeFile(at(20), whole(20, join(shared, 'way-out')));
  const fields = [
    { trackers: 5 },
    { name: null },
    { filePriorities: 'skip' },
    { addedAt: 'now' },
    { ownerId: 0 },
    { summary: [] },
  ];
  for (const [place, change] of fields.entries()) await writeFile(at(30 + place), whole(30 + place, shared, change));
  const info = bencode.encode({ length: 5, name: 'film', 'piece length': 16_384, pieces: Buffer.alloc(20) });
  const forgedInfo = { ...entryOf(40, shared), infoBytes: info };
  await writeFile(at(40), encodeEntry(forgedInfo));
  await writeFile(join(shared, '.swarmd', 'metainfo', idOf(40)), info);
  await writeFile(join(folder, 'not-a-hash'), whole(1));
  await writeFile(at(99), whole(99, shared, { ownerId: 4_000_000 }));
  return { honest: idOf(99), outside };
}

void t.test('they lie with an engine that is lost', async (t) => {
  const { base, shared, folder, start, told } = await scene(t);
  const { honest, outside } = await forge(base, shared, folder(LOST));
  const engine = await start();
  const ids = told(engine);
  await engine.begin(1);
  const { taken } = await engine.front.client.takeTorrents({ from: { engineId: LOST, epoch: 1 }, limit: 1_000 });
  t.same(ids, [honest]);
  t.equal(taken, 1);
  t.same(await readdir(outside), ['entry'], 'and nothing is written where they lead');
  await engine.logged(new RegExp(`${idOf(2)}.*a torrent of another engine cannot be taken`));
  await engine.logged(new RegExp(`${idOf(40)}.*it is none, or damaged`));
  await engine.front.client.health({});
});

void t.test('they lie with the engine itself, at its start', async (t) => {
  const { base, shared, folder, start, told } = await scene(t);
  const before = await start();
  const { id } = before;
  await mkdir(folder(id), { recursive: true });
  const { honest } = await forge(base, shared, folder(id));
  const ids = told(before);
  await before.begin(1);
  t.same(ids, [honest]);
  await before.logged(new RegExp(`${idOf(11)}.*save path /etc is not on this root`));
  t.equal((await before.front.client.takeTorrents({ from: null, limit: 1_000 })).taken, 0, 'nor later');
});

void t.test('marks and epochs that are none', async (t) => {
  const { base, shared, folder, start, told } = await scene(t);
  const victim = join(base, 'victim');
  await writeFile(victim, 'precious');
  const honest = encodeEntry(entryOf(1, shared));
  for (const n of [1, 2])
    await writeFile(join(folder(LOST), idOf(n)), n === 1 ? honest : encodeEntry(entryOf(2, shared)));
  await mkdir(folder(LOST, 'gone'));
  await symlink(victim, join(folder(LOST, 'gone'), idOf(1)));
  execFileSync('mkfifo', [join(shared, '.swarmd', 'engines', LOST, 'epoch')]);
  const engine = await start();
  const ids = told(engine);
  await mkdir(join(folder(engine.id, 'gone'), idOf(9), 'deep'), { recursive: true });
  await mkdir(join(folder(engine.id), idOf(9)), { recursive: true });
  await engine.begin(1);
  const request = { from: { engineId: LOST, epoch: 1 }, limit: 1_000 };
  await t.rejects(engine.front.client.takeTorrents(request), /ELOOP/);
  t.equal(await readFile(victim, 'utf8'), 'precious');
  t.same(ids, []);
  await engine.logged(/takeTorrents.*ELOOP.*a front was refused/);
});

void t.test('the folder is another’s, or open to others', async (t) => {
  const { base, shared, start } = await scene(t);
  const folder = join(shared, '.swarmd');
  await chmod(folder, 0o777);
  const engine = await start();
  engine.epoch = 1;
  const begin = () => engine.grant().then(() => engine.front.client.start(TEST_ENGINE_OPTIONS));
  await t.rejects(begin(), {
    code: 'STORAGE_FAILED',
    message: /\.swarmd cannot be used: other users may write to it \(mode 777\)/,
  });
  await chmod(folder, 0o700);
  if (process.getuid?.() === 0) {
    execFileSync('chown', ['nobody', folder]);
    await t.rejects(begin(), {
      code: 'STORAGE_FAILED',
      message: /it belongs to user \d+, and what is made here to user 0/,
    });
    execFileSync('chown', ['root', folder]);
  }
  await chmod(shared, 0o777);
  await begin();
  await engine.logged(/other users may write to a shared root, and put a folder of theirs in the place of \.swarmd/);
  t.same((await readdir(base)).toSorted(), ['engine', 'shared']);
});
