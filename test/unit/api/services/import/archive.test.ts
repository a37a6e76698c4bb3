// Archives of states, as somebody hostile may have made them: each is refused with a sentence that names the entry, and leaves nothing.
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { answerFor } from '../../../../../api/errors.js';
import { ARCHIVE_BOUNDS } from '../../../../../api/services/import/archive/bounds.js';
import { ImportArchives } from '../../../../../api/services/import/archive/import-archives.js';
import { parseAccountId } from '../../../../../shared-protocol/ids.js';
import { makeScratch } from '../../../../support/peers/scratch.js';
import { tarBlocks, TAR_END } from '../../../../support/tar-blocks.js';

const [ANNA, BERT, CARL] = [parseAccountId(1), parseAccountId(2), parseAccountId(3)];
const MIB = 1024 ** 2;
const WHOLE = { offset: 0 };
const GOOD = tar(tarBlocks({ path: './', type: 'Directory' }), tarBlocks({ path: './a/b/c.txt' }, 'hello'));

const HOSTILE: readonly (readonly [name: string, bytes: () => Buffer, said: RegExp])[] = [
  ['no archive', () => Buffer.from('x'.repeat(2_000)), /^archive: is neither a \.tar/],
  ['nothing', () => Buffer.alloc(0), /^archive: is neither a \.tar/],
  ['an empty tar', () => tar(tarBlocks({ path: './', type: 'GlobalExtendedHeader' })), /^archive: holds nothing$/],
  [
    'an absolute path',
    () => tar(tarBlocks({ path: '/etc/passwd' }, 'x')),
    /^archive: "\/etc\/passwd" is an absolute path$/,
  ],
  [
    'a way out',
    () => tar(tarBlocks({ path: 'a/../../b' }, 'x')),
    /^archive: "a\/\.\.\/\.\.\/b" leads out of the archive$/,
  ],
  [
    'a symbolic link',
    () => tar(tarBlocks({ path: 'l', type: 'SymbolicLink', linkpath: '/' })),
    /^archive: "l" is a symbolic link,/,
  ],
  [
    'a hard link',
    () => tar(tarBlocks({ path: 'l', type: 'Link', linkpath: '/etc/passwd' })),
    /^archive: "l" is a hard link,/,
  ],
  ['a device', () => tar(tarBlocks({ path: 'd', type: 'CharacterDevice' })), /^archive: "d" is a device,/],
  ['a pipe', () => tar(tarBlocks({ path: 'p', type: 'FIFO' })), /^archive: "p" is a named pipe,/],
  [
    'a file twice',
    () => tar(tarBlocks({ path: 'a' }, 'x'), tarBlocks({ path: 'a' }, 'y')),
    /^archive: "a" is in it twice$/,
  ],
  [
    'a file as a folder',
    () => tar(tarBlocks({ path: 'a' }, 'x'), tarBlocks({ path: 'a/b' }, 'y')),
    /^archive: "a\/b" is in it twice$/,
  ],
  [
    'too deep',
    () => tar(tarBlocks({ path: `${'a/'.repeat(40)}b` }, 'x')),
    /^archive: ".*" is more than 32 folders deep$/,
  ],
  [
    'too many',
    () => tar(...Array.from({ length: 101 }, (_, i) => tarBlocks({ path: `f${i}` }))),
    /^archive: holds more than 100 entries$/,
  ],
  ['cut off', () => gzipSync(GOOD).subarray(0, 60), /^archive: cannot be read/],
  [
    'a bomb',
    () => gzipSync(tar(tarBlocks({ path: 'zeros' }, '\0'.repeat(3 * MIB)))),
    /^archive: is larger than 2097152 bytes when unpacked$/,
  ],
  ['compressed twice', () => gzipSync(gzipSync(GOOD)), /^archive: is compressed twice$/],
  ['a zip with a way out', () => zip('z.writestr("../x", "x")'), /^archive: .*\.\.\/x/],
  ['a zip with an absolute path', () => zip('z.writestr("/x", "x")'), /^archive: .*\/x/],
  ['a zip with a symbolic link', () => zip(linkInZip('0o120777')), /^archive: "l" is a symbolic link,/],
  ['a zip with a device', () => zip(linkInZip('0o020666')), /^archive: "l" is a device/],
  [
    'a zip bomb',
    () => zip('z.writestr("zeros", bytes(3 << 20))'),
    /^archive: is larger than 2097152 bytes when unpacked$/,
  ],
  [
    'a bomb of many',
    () => zip('[z.writestr(f"z{i}", bytes(1 << 20)) for i in range(4)]'),
    /^archive: is larger than 2097152 bytes/,
  ],
  ['a file twice in a zip', () => zip('z.writestr("a", "x"); z.writestr("a", "y")'), /^archive: "a" is in it twice$/],
  ['a zip that says less than it holds', lyingZip, /^archive: cannot be read/],
  [
    'a name of 300 bytes',
    () => zip('z.writestr("n" * 300, "x")'),
    /^archive: ".*" holds a name of more than 255 bytes$/,
  ],
  [
    'a path of 2,000 bytes',
    () => zip('z.writestr("n/" * 1000, "x")'),
    /^archive: ".*" is a path of more than 1024 bytes$/,
  ],
];

void t.test('hostile archives', async (t) => {
  const { archives, folder } = await made(t);
  for (const [name, bytes, said] of HOSTILE) {
    const error = await archives.receive(ANNA, WHOLE, chunks(bytes())).then(
      () => null,
      (thrown: unknown) => answerFor(thrown),
    );
    t.match(error, { status: 400, body: { error: said } }, name);
    t.same(await readdir(folder), [], `${name}: nothing is left`);
  }
});

void t.test('what is unpacked is for this user alone, and goes', async (t) => {
  const { archives, folder } = await made(t);
  t.equal((await stat(folder)).mode & 0o777, 0o700);
  for (const bytes of [GOOD, gzipSync(GOOD), zip('z.writestr("a/b/c.txt", "hello"); z.writestr("__MACOSX/x", "y")')]) {
    const { id, state } = await archives.receive(ANNA, WHOLE, chunks(bytes));
    t.equal(state, 'ready');
    const lease = archives.take(ANNA, id);
    t.equal(await readFile(join(lease.path, 'a/b/c.txt'), 'utf8'), 'hello');
    t.equal((await stat(join(lease.path, 'a/b/c.txt'))).mode & 0o777, 0o600);
    t.equal((await stat(join(lease.path, 'a'))).mode & 0o777, 0o700);
    t.throws(() => archives.take(ANNA, id), { code: 'CONFLICT' });
    await t.rejects(archives.receive(ANNA, WHOLE, chunks(GOOD)), { code: 'QUOTA_EXCEEDED' }, 'while it is imported');
    await lease.release(false);
    await archives.take(ANNA, id).release(true);
    t.same(await readdir(folder), []);
    t.throws(() => archives.take(ANNA, id), { code: 'NOT_FOUND' });
  }
});

void t.test('in parts, of one account', async (t) => {
  const { archives, folder } = await made(t);
  const [first, second] = [GOOD.subarray(0, 700), GOOD.subarray(700)];
  const { id, state } = await archives.receive(ANNA, { offset: 0, size: GOOD.length }, chunks(first));
  t.equal(state, 'receiving');
  const next = { id, offset: 700 };
  t.throws(() => archives.take(ANNA, id), { code: 'CONFLICT' });
  await t.rejects(archives.receive(BERT, next, chunks(second)), { code: 'NOT_FOUND' }, 'it is not of another');
  await t.rejects(archives.delete(BERT, id), { code: 'NOT_FOUND' });
  await t.rejects(archives.receive(ANNA, { id, offset: 5 }, chunks(second)), { message: 'offset: expected 700' });
  t.match(await archives.receive(ANNA, next, chunks(second)), { id, state: 'ready', received_bytes: GOOD.length });
  await archives.delete(ANNA, id);
  t.same(await readdir(folder), []);
});

void t.test('one of an account, a few of all', async (t) => {
  const { archives, folder } = await made(t);
  const first = await archives.receive(ANNA, WHOLE, chunks(GOOD));
  const other = await archives.receive(BERT, WHOLE, chunks(GOOD));
  await t.rejects(archives.receive(CARL, WHOLE, chunks(GOOD)), { message: 'archive: 2 are here for imports already' });
  await t.rejects(archives.receive(ANNA, { offset: 0, size: 2 ** 40 }, chunks(GOOD)), { code: 'IMPORT_UNREADABLE' });
  await archives.take(ANNA, first.id).release(false);
  const second = await archives.receive(ANNA, WHOLE, chunks(GOOD));
  t.throws(() => archives.take(ANNA, first.id), { code: 'NOT_FOUND' }, 'its own one before has gone');
  t.throws(() => archives.take(ANNA, other.id), { code: 'NOT_FOUND' });
  await archives.take(BERT, other.id).release(true);
  await archives.receive(CARL, WHOLE, chunks(GOOD));
  await archives.delete(ANNA, second.id);
  t.equal((await readdir(folder)).length, 1);
});

void t.test('deleted while it is received or imported, it goes when that has ended', async (t) => {
  const { archives, folder } = await made(t);
  const { id } = await archives.receive(ANNA, WHOLE, chunks(GOOD));
  const lease = archives.take(ANNA, id);
  await archives.delete(ANNA, id);
  t.equal(await readFile(join(lease.path, 'a/b/c.txt'), 'utf8'), 'hello', 'what is read stays');
  await t.rejects(archives.delete(ANNA, id), { code: 'NOT_FOUND' });
  await lease.release(false);
  t.same(await readdir(folder), []);

  const begun = await archives.receive(ANNA, { offset: 0, size: GOOD.length }, chunks(GOOD.subarray(0, 700)));
  const deleting = (async function* () {
    yield GOOD.subarray(700, 800);
    await archives.delete(ANNA, begun.id);
    yield GOOD.subarray(800);
  })();
  await t.rejects(archives.receive(ANNA, { id: begun.id, offset: 700 }, deleting), { code: 'CONFLICT' });
  t.same(await readdir(folder), []);
});

void t.test('who leaves while it is unpacked finds nothing', async (t) => {
  const { archives, folder } = await made(t);
  const leaving = new AbortController();
  const last = (async function* () {
    yield GOOD;
    leaving.abort();
  })();
  await t.rejects(archives.receive(ANNA, WHOLE, last, leaving.signal), { code: 'CONFLICT' });
  t.same(await readdir(folder), []);
});

void t.test('one that is cut, is not gone on with, or is not used leaves nothing', async (t) => {
  const { archives, folder } = await made(t, { partMs: 1, keptMs: 1 });
  const cut = (async function* () {
    yield GOOD.subarray(0, 700);
    throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  })();
  await t.rejects(archives.receive(ANNA, WHOLE, cut));
  t.same(await readdir(folder), []);
  for (const part of [WHOLE, { offset: 0, size: GOOD.length + 1 }]) {
    const { id } = await archives.receive(ANNA, part, chunks(GOOD));
    // The timer does not hold the process.
    const alive = setInterval(() => undefined, 5);
    while ((await readdir(folder).catch(() => ['gone'])).length > 0) await new Promise(setImmediate);
    clearInterval(alive);
    t.throws(() => archives.take(ANNA, id), { code: 'NOT_FOUND' });
  }
});

void t.test('what a process has left is gone at the next start, and a full disk is told', async (t) => {
  const scratch = await makeScratch('archives');
  t.teardown(() => scratch.remove());
  const folder = join(scratch.path, 'import-archive');
  await mkdir(join(folder, 'state'), { recursive: true });
  await writeFile(join(folder, 'state', 'left'), 'x');
  await symlink('/', join(folder, 'state', 'link'));
  const bounds = { ...ARCHIVE_BOUNDS, reserveBytes: Number.MAX_SAFE_INTEGER };
  const archives = await ImportArchives.in(folder, { bounds });
  t.same(await readdir(folder), []);
  const error = await archives.receive(ANNA, WHOLE, chunks(GOOD)).catch((thrown: unknown) => answerFor(thrown));
  t.match(error, { status: 500, body: { error: 'storage failure: disk full' } });
});

async function made(t: Test, times: { partMs?: number; keptMs?: number } = {}) {
  const scratch = await makeScratch('archives');
  t.teardown(() => scratch.remove());
  const folder = join(scratch.path, 'import-archive');
  const bounds = { ...ARCHIVE_BOUNDS, unpackedBytes: 2 * MIB, archives: 2, entries: 100, reserveBytes: 0 };
  return { archives: await ImportArchives.in(folder, { bounds, ...times }), folder };
}

async function* chunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
}

function tar(...blocks: Buffer[]): Buffer {
  return Buffer.concat([...blocks, TAR_END]);
}

/** By the zipfile of Python, which writes whatever it is told. */
function zip(statements: string): Buffer {
  const script = [
    'import io, sys, warnings, zipfile',
    'warnings.simplefilter("ignore")',
    'b = io.BytesIO()',
    'z = zipfile.ZipFile(b, "w", zipfile.ZIP_DEFLATED)',
    statements,
    'z.close()',
    'sys.stdout.buffer.write(b.getvalue())',
  ].join('\n');
  return execFileSync('python3', ['-c', script], { maxBuffer: 10 * MIB });
}

function linkInZip(mode: string): string {
  return `i = zipfile.ZipInfo("l"); i.create_system = 3; i.external_attr = ${mode} << 16; z.writestr(i, "/")`;
}

/** Its directory says that the file has ten bytes. */
function lyingZip(): Buffer {
  const bytes = zip('z.writestr("zeros", bytes(1 << 20))');
  const directory = bytes.indexOf('PK\x01\x02', 0, 'latin1');
  bytes.writeUInt32LE(10, directory + 24);
  return bytes;
}
