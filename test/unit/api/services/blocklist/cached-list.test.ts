import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { CachedList, type HeldList } from '../../../../../api/services/blocklist/cached-list.js';
import { rangesOf } from '../../../../support/address-ranges.js';

const URL = 'https://a.example/list?key=1';
const LIST: HeldList = {
  url: URL,
  validators: { etag: '"1"', lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT' },
  ranges: rangesOf('1.2.3.0/24', '5.6.7.8', '2001:db8::/32'),
};

async function setUp(t: Test) {
  const folder = t.testdir({});
  const file = join(folder, 'blocklist.ranges');
  const cache = new CachedList(file);
  await cache.write(LIST);
  return { folder, file, cache };
}

void t.test('what was written is read again', async (t) => {
  const { folder, cache } = await setUp(t);
  t.same(await cache.read(URL), LIST);
  const other: HeldList = { url: URL, validators: {}, ranges: rangesOf('9.9.9.9') };
  await cache.write(other);
  t.same(await cache.read(URL), other);
  t.same(await readdir(folder), ['blocklist.ranges']);
});

void t.test('a large one as well', async (t) => {
  const { cache } = await setUp(t);
  const ipv4 = new SharedArrayBuffer(8 * 400_000);
  new Uint32Array(ipv4).forEach((_, at, words) => (words[at] = 3 * at));
  const list: HeldList = { url: URL, validators: {}, ranges: { ipv4, ipv6: new SharedArrayBuffer(0) } };
  await cache.write(list);
  const read = await cache.read(URL);
  t.ok(Buffer.from(read?.ranges.ipv4 ?? ipv4.slice(0, 8)).equals(Buffer.from(ipv4)));
});

void t.test('another URL has none', async (t) => {
  const { cache } = await setUp(t);
  t.equal(await cache.read('https://b.example/'), null);
});

void t.test('dropped, there is none; twice is no error', async (t) => {
  const { folder, cache } = await setUp(t);
  await cache.drop();
  await cache.drop();
  t.equal(await cache.read(URL), null);
  t.same(await readdir(folder), []);
});

void t.test('a damaged copy is none, wherever the damage is', async (t) => {
  const { file, cache } = await setUp(t);
  const whole = await readFile(file);
  for (let at = 0; at < whole.length; at++) {
    const damaged = Buffer.from(whole);
    damaged[at]! ^= 1 << (at % 8);
    await writeFile(file, damaged);
    t.equal(await cache.read(URL), null, `byte ${at}`);
  }
  for (const length of [0, 1, 7, 8, 20, whole.length - 33, whole.length - 1]) {
    await writeFile(file, whole.subarray(0, length));
    t.equal(await cache.read(URL), null, `${length} bytes of it`);
  }
  await writeFile(file, whole);
  t.same(await cache.read(URL), LIST, 'and whole it is one again');
});
