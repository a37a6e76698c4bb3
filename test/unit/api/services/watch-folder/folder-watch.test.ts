// The watch folder on a real directory, with the polls driven by a clock that the test moves (docs/semantics.md section
// 9).
import { execFileSync } from 'node:child_process';
import { appendFile, chmod, link, mkdir, readdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { RequestError } from '../../../../../api/errors.js';
import type { Account } from '../../../../../api/auth/account.js';
import { FolderWatch } from '../../../../../api/services/watch-folder/folder-watch.js';
import { AppError } from '../../../../../shared-protocol/errors.js';
import { parseInfoHash } from '../../../../../shared-protocol/ids.js';
import type { BeginningBody } from '../../../../../shared-protocol/dto/torrents.js';
import type { WatchFolderDto } from '../../../../../shared-protocol/dto/settings.js';
import { temporaryDirectory } from '../../../../support/temporary-directory.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';

const ADMIN = { id: 1, role: 'admin' } as Account;
const HASH = parseInfoHash('a'.repeat(40));
const TEN_MIB = 10 * 1024 * 1024;

/** Keeps what it was given; refuses what does not begin like a torrent or a magnet. */
class MemoryAdding {
  readonly added: string[] = [];
  readonly paths = new Set<string>();
  readonly owners = new Set<unknown>();
  attempts = 0;
  running = 0;
  mostAtATime = 0;
  failure: Error | null = null;
  heldBy: Promise<void> = Promise.resolve();
  onAdd: () => void | Promise<void> = () => undefined;

  addFile(account: Account, bytes: Uint8Array, beginning: BeginningBody = {}) {
    const text = Buffer.from(bytes.subarray(0, 20)).toString();
    return this.#add(account, text, beginning.save_path ?? '', text.startsWith('d'), 'TORRENT_INVALID');
  }
  addMagnet(account: Account, uri: string, beginning: BeginningBody = {}) {
    return this.#add(account, uri, beginning.save_path ?? '', uri.includes('btih'), 'MAGNET_INVALID');
  }
  async #add(
    owner: Account,
    text: string,
    savePath: string,
    isValid: boolean,
    code: 'TORRENT_INVALID' | 'MAGNET_INVALID',
  ) {
    this.attempts++;
    this.mostAtATime = Math.max(this.mostAtATime, ++this.running);
    await this.heldBy;
    await this.onAdd();
    this.running--;
    if (this.failure) throw this.failure;
    if (!isValid) throw new AppError(code, 'not a torrent');
    this.owners.add(owner);
    this.paths.add(savePath);
    this.added.push(text);
    return HASH;
  }
}

async function start(setting: Partial<WatchFolderDto> = {}) {
  const path = await temporaryDirectory();
  const clock = new VirtualClock();
  const adding = new MemoryAdding();
  const lines: string[] = [];
  let listener = () => {};
  const watchFolder = {
    owner: ADMIN as Account | null,
    /** Everywhere, until told otherwise. */
    mayBeAt: (_path: string) => true,
    boundsOf: async () => (real: string) => watchFolder.mayBeAt(real),
    stored: { path, delete_after_add: false, enabled: true, ...setting } as WatchFolderDto,
    onChange: (tell: () => void) => (listener = tell),
  };
  const note = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
  const log = { debug: () => undefined, info: note('info'), warn: note('warn'), error: note('error') };
  const fileAdopters = { watch: async () => undefined };
  const watch = new FolderWatch({
    ...{ watchFolder, fileAdopters },
    adding,
    clock,
    log,
  });
  watch.start();
  await watch.whenIdle();
  /** The next one, whole. */
  const poll = async (count = 1) => {
    for (let i = 0; i < count; i++) {
      await clock.advance(5_000);
      await watch.whenIdle();
    }
  };
  return {
    path,
    clock,
    adding,
    lines,
    watch,
    watchFolder,
    poll,
    drop: (name: string, content: string | Uint8Array = `d${name}`) => writeFile(join(path, name), content),
    names: async () => (await readdir(path)).sort(),
    change: async (change: Partial<WatchFolderDto>) => {
      watchFolder.stored = { ...watchFolder.stored, ...change };
      listener();
      await watch.whenIdle();
    },
  };
}

void t.test(
  'only what was the same in two polls is added, for the administrator and to the global save path',
  async (t) => {
    const { adding, clock, drop, names, path, poll, watch } = await start();
    await drop('a.torrent');
    await drop('growing.torrent');
    await drop('unrelated.txt');
    await drop('.hidden.torrent');
    await poll();
    t.same(adding.added, []);
    await appendFile(join(path, 'growing.torrent'), 'more');
    await clock.advance(4_999);
    await watch.whenIdle();
    t.equal(adding.attempts, 0);
    await clock.advance(1);
    await watch.whenIdle();
    t.same(adding.added, ['da.torrent']);
    await poll();
    t.same(adding.added, ['da.torrent', 'dgrowing.torrentmore']);
    await poll(3);
    t.equal(adding.attempts, 2);
    t.same([[...adding.owners], [...adding.paths]], [[ADMIN], ['']]);
    t.same(await names(), ['.hidden.torrent', 'a.torrent.added', 'growing.torrent.added', 'unrelated.txt']);
  },
);

void t.test('a file of the same size that is written anew is waited for', async (t) => {
  const { adding, drop, path, poll } = await start();
  await drop('a.torrent', 'd1');
  await poll();
  await drop('a.torrent', 'd2');
  await utimes(join(path, 'a.torrent'), 1, 1);
  await poll();
  t.equal(adding.attempts, 0);
  await poll();
  t.same(adding.added, ['d2']);
});

void t.test('links, FIFOs and folders are none of ours', async (t) => {
  const { adding, drop, names, path, poll } = await start();
  await drop('target');
  await symlink(join(path, 'target'), join(path, 'link.torrent'));
  await mkdir(join(path, 'folder.torrent'));
  execFileSync('mkfifo', [join(path, 'fifo.torrent')]);
  await poll(3);
  t.equal(adding.attempts, 0);
  t.same(await names(), ['fifo.torrent', 'folder.torrent', 'link.torrent', 'target']);
});

void t.test('it is added for the account that the folder is of, while that one may have it', async (t) => {
  const { adding, drop, lines, names, poll, watchFolder } = await start();
  const bob = { id: 2, role: 'user' } as Account;
  await drop('a.torrent');
  watchFolder.owner = null;
  await poll(3);
  t.same([adding.attempts, lines], [0, ['warn: watch folder cannot be read']]);
  watchFolder.owner = bob;
  await poll(2);
  t.same([[...adding.owners], await names()], [[bob], ['a.torrent.added']]);
});

void t.test('a folder that leads elsewhere by now is asked for as what it leads to', async (t) => {
  const { adding, drop, lines, path, poll, watchFolder } = await start({ delete_after_add: true });
  await drop('a.torrent');
  await poll();
  const elsewhere = await temporaryDirectory();
  await writeFile(join(elsewhere, 'b.torrent'), 'db');
  watchFolder.mayBeAt = (real) => real !== elsewhere;
  await rename(path, `${path}-before`);
  t.teardown(() => rm(`${path}-before`, { recursive: true }));
  await symlink(elsewhere, path);
  await poll(3);
  t.same([adding.attempts, lines], [0, ['warn: watch folder cannot be read']]);
  t.same(await readdir(elsewhere), ['b.torrent']);
});

void t.test('a name that cannot be looked at keeps no other waiting', async (t) => {
  const { adding, drop, lines, path, poll } = await start();
  await drop('a.torrent');
  // Each byte that is no UTF-8 is three in a text, and then it is longer than names may be.
  await writeFile(Buffer.concat([Buffer.from(`${path}/`), Buffer.alloc(240, 0xe9), Buffer.from('.torrent')]), 'd');
  await poll(2);
  t.same([adding.added, lines], [['da.torrent'], []]);
});

void t.test('with delete_after_add it is deleted, and not before the add is durable', async (t) => {
  const { adding, drop, names, poll } = await start({ delete_after_add: true });
  const seen: string[][] = [];
  adding.onAdd = async () => void seen.push(await names());
  await drop('a.torrent');
  await poll(2);
  t.same(seen, [['a.torrent']]);
  t.same(await names(), []);
  adding.failure = new RequestError('TORRENT_REFUSED', 'disk full');
  await drop('b.torrent');
  await poll(4);
  t.same(await names(), ['b.torrent']);
});

void t.test('invalid files are renamed once', async (t) => {
  const { adding, drop, lines, names, poll } = await start({ delete_after_add: true });
  await drop('bad.torrent', 'not bencoded');
  await drop('bad.magnet', 'magnet:?nothing');
  await drop('text.magnet', 'hello');
  await drop('large.torrent', new Uint8Array(TEN_MIB + 1));
  await drop('largest.torrent', Buffer.alloc(TEN_MIB, 'd'));
  await poll(6);
  t.same(await names(), ['bad.magnet.invalid', 'bad.torrent.invalid', 'large.torrent.invalid', 'text.magnet.invalid']);
  t.equal(adding.attempts, 3);
  t.equal(adding.added.length, 1, 'exactly 10 MiB');
  t.equal(lines.length, 4);
});

void t.test('an empty file may still be filled', async (t) => {
  const { adding, drop, names, poll } = await start();
  await drop('a.torrent', '');
  await drop('b.torrent', '');
  await poll(5);
  await drop('a.torrent', 'd');
  await poll(15);
  t.same(adding.added, ['d']);
  t.same(await names(), ['a.torrent.added', 'b.torrent.invalid']);
});

void t.test('a name that is taken gets a number, and nothing is written over', async (t) => {
  const { drop, names, path, poll } = await start();
  await drop('a.torrent.added', 'mine');
  await symlink('/nonexistent', join(path, 'a.torrent.1.added'));
  await drop('a.torrent');
  await poll(2);
  t.same(await names(), ['a.torrent.1.added', 'a.torrent.2.added', 'a.torrent.added']);
});

void t.test('what was replaced while it was added stays', async (t) => {
  const { adding, drop, names, path, poll } = await start({ delete_after_add: true });
  await drop('a.torrent', 'd1');
  await poll();
  adding.onAdd = async () => {
    adding.onAdd = () => undefined;
    await writeFile(join(path, 'new'), 'd2');
    await rename(join(path, 'new'), join(path, 'a.torrent'));
  };
  await poll();
  t.same([adding.added, await names()], [['d1'], ['a.torrent']]);
  await poll(2);
  t.same([adding.added, await names()], [['d1', 'd2'], []]);
});

void t.test('what is there already counts as added', async (t) => {
  const { adding, drop, names, poll } = await start();
  adding.failure = new RequestError('TORRENT_HIDDEN');
  await drop('a.torrent');
  await poll(2);
  t.same(await names(), ['a.torrent.added']);
});

void t.test('a file that can neither be renamed nor deleted is added once and logged once', async (t) => {
  const { adding, drop, lines, path, poll } = await start();
  // What root may do everywhere cannot be forbidden by permissions: all names that it could get are taken.
  await drop('a.torrent');
  await drop('a.torrent.added');
  for (let number = 1; number <= 100; number++)
    await link(join(path, 'a.torrent.added'), join(path, `a.torrent.${number}.added`));
  await poll(6);
  t.same([adding.attempts, lines], [1, ['warn: file stays in the watch folder']]);
  await drop('a.torrent', 'dother');
  await poll(4);
  t.same(adding.added, ['da.torrent', 'dother'], 'another file of this name is another file');
});

void t.test(
  'a read-only folder does not loop',
  { skip: process.getuid?.() === 0 && 'root may write anywhere' },
  async (t) => {
    const { adding, drop, path, poll } = await start({ delete_after_add: true });
    await drop('a.torrent');
    await drop('bad.torrent', 'bad');
    await chmod(path, 0o500);
    t.teardown(() => chmod(path, 0o700));
    await poll(6);
    t.equal(adding.attempts, 2);
  },
);

void t.test('while the engine is away nothing is invalid, and few are tried', async (t) => {
  const { adding, drop, lines, names, poll } = await start();
  adding.failure = new AppError('ENGINE_NOT_RUNNING', 'engine: not running');
  const files = Array.from({ length: 40 }, (_, i) => `${String(i).padStart(2, '0')}.torrent`);
  for (const file of files) await drop(file);
  await poll(2);
  t.ok(adding.attempts <= 4, `${adding.attempts} attempts`);
  await poll(3);
  t.same(await names(), files);
  adding.failure = null;
  await poll(8);
  t.same(
    await names(),
    files.map((file) => `${file}.added`),
  );
  t.same(adding.added.length, 40);
  t.ok(lines.every((line) => line === 'warn: not added from the watch folder yet'));
});

void t.test(
  'one that fails alone is tried ever more rarely, logged once, and does not hold up the others',
  async (t) => {
    const { adding, drop, lines, names, poll } = await start();
    adding.failure = new Error('unknown');
    await drop('a.torrent');
    await poll(60);
    t.ok(adding.attempts >= 5 && adding.attempts <= 8, `${adding.attempts} attempts in 5 minutes`);
    t.same(lines, ['warn: not added from the watch folder yet']);
    adding.failure = null;
    await drop('b.torrent');
    await poll(2);
    t.same(await names(), ['a.torrent', 'b.torrent.added']);
    await poll(60);
    t.same(await names(), ['a.torrent.added', 'b.torrent.added']);
  },
);

void t.test('magnets of a text file are added one by one', async (t) => {
  const { adding, drop, names, poll } = await start();
  await drop('two.magnet', 'magnet:?xt=urn:btih:1\r\nmagnet:?xt=urn:btih:2\n');
  await poll(2);
  t.same([adding.added, await names()], [['magnet:?xt=urn:btih:1', 'magnet:?xt=urn:btih:2'], ['two.magnet.added']]);
});

void t.test('a folder that vanishes is logged once, and watched again when it is back', async (t) => {
  const { adding, drop, lines, path, poll } = await start();
  await rm(path, { recursive: true });
  await poll(3);
  t.same(lines, ['warn: watch folder cannot be read']);
  await mkdir(path);
  await drop('a.torrent');
  await poll(2);
  t.same(lines, ['warn: watch folder cannot be read', 'info: watch folder is back']);
  t.same(adding.added, ['da.torrent']);
});

void t.test('a change of the setting restarts the polling', async (t) => {
  const { adding, change, clock, drop, names, path, poll } = await start({ enabled: false });
  await drop('a.torrent');
  await poll(3);
  t.equal(clock.pendingTimers, 0, 'nothing runs while it is off');
  await change({ enabled: true });
  await change({ delete_after_add: true });
  t.equal(adding.attempts, 0, 'two looks at a time are one');
  t.equal(clock.pendingTimers, 1);
  await poll();
  t.same([adding.added, await names()], [['da.torrent'], []]);
  const other = join(path, 'other');
  await mkdir(other);
  await writeFile(join(other, 'b.torrent'), 'db');
  await change({ path: other });
  await drop('c.torrent');
  await poll(2);
  t.same(adding.added, ['da.torrent', 'db']);
  await change({ enabled: false });
  t.equal(clock.pendingTimers, 0);
});

void t.test('a change in the middle of a poll ends it', async (t) => {
  const { adding, change, drop, names, poll } = await start();
  for (let i = 0; i < 20; i++) await drop(`${i}.torrent`);
  await poll();
  let letGo = () => {};
  adding.heldBy = new Promise((resolve) => (letGo = resolve));
  const polling = poll();
  while (adding.running < 4) await turn();
  const changed = change({ delete_after_add: true });
  letGo();
  await Promise.all([polling, changed]);
  t.equal(adding.added.length, 20);
  t.equal((await names()).filter((name) => name.endsWith('.added')).length, 4, 'by the setting they were taken under');
});

void t.test('a stop in the middle of a poll takes up nothing more and waits for what is under way', async (t) => {
  const { adding, clock, drop, names, poll, watch } = await start();
  for (let i = 0; i < 20; i++) await drop(`${i}.torrent`);
  await poll();
  let letGo = () => {};
  adding.heldBy = new Promise((resolve) => (letGo = resolve));
  const polling = poll();
  while (adding.running < 4) await turn();
  let hasStopped = false;
  const stopping = watch.stop().then(() => (hasStopped = true));
  await turn();
  t.notOk(hasStopped);
  letGo();
  await Promise.all([polling, stopping]);
  t.equal(adding.added.length, 4);
  t.equal((await names()).filter((name) => name.endsWith('.added')).length, 4);
  t.equal(clock.pendingTimers, 0);
});

void t.test('a stop does not wait for an engine that does not answer', async (t) => {
  const { adding, clock, drop, poll, watch } = await start();
  await drop('a.torrent');
  await poll();
  adding.heldBy = new Promise(() => undefined);
  await clock.advance(5_000);
  while (adding.running < 1) await turn();
  const stopping = watch.stop();
  await clock.advance(2_000);
  await stopping;
  t.same(adding.added, []);
});

void t.test('thousands of files: a few at a time, and others have their turn meanwhile', async (t) => {
  const { adding, drop, names, poll } = await start({ delete_after_add: true });
  const COUNT = 2_000;
  for (let i = 0; i < COUNT; i++) await drop(`${i}.torrent`);
  adding.onAdd = () => turn();
  let turns = 0;
  const beat = setInterval(() => turns++, 1);
  await poll(2);
  clearInterval(beat);
  t.equal(adding.added.length, COUNT);
  t.ok(adding.mostAtATime > 1 && adding.mostAtATime <= 4, `${adding.mostAtATime} at a time`);
  t.same(await names(), []);
  t.ok(turns > 50, `others had ${turns} turns`);
});
