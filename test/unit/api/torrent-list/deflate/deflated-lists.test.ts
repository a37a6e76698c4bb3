// Lists in DEFLATE, with the thread that makes them: what comes out of it is what went in, wherever it is put together.
import { constants, crc32, gunzipSync, inflateRawSync } from 'node:zlib';
import t from 'tap';
import { combineCrc32 } from '../../../../../api/torrent-list/deflate/crc32.js';
import { DeflateThread, inputOf, type Deflate } from '../../../../../api/torrent-list/deflate/deflate-thread.js';
import { DeflatedLists } from '../../../../../api/torrent-list/deflate/deflated-lists.js';
import type { ListSnapshot } from '../../../../../api/torrent-list/list-snapshot.js';
import { madeChunk, madeList } from '../../../../support/made-list.js';
import { SeededRandom } from '../../../../support/seeded-random.js';

/** The thread does not keep the process, nor does waiting for it. */
function stayAwake(t: { teardown(end: () => void): void }): void {
  const timer = setInterval(() => undefined, 1_000);
  t.teardown(() => clearInterval(timer));
}

void t.test('pieces of every size, also at once, put together in any order', async (t) => {
  stayAwake(t);
  const thread = new DeflateThread();
  const random = new SeededRandom(3);
  const sizes = [0, 1, 60, 1_024, 16_383, 16_384, 70_000, 1_500_000, 3_000_000];
  const plain = sizes.flatMap((size) => [Buffer.from(random.bytes(size)), Buffer.alloc(size, 'json')]);
  const [pieces, [again]] = await Promise.all([
    thread.deflate(plain.map(inputOf)),
    thread.deflate([inputOf(plain[9]!)]),
  ]);
  t.same(again, pieces[9]);
  const joined = Buffer.concat([...pieces].reverse().map(({ bytes }) => bytes));
  const read = inflateRawSync(joined, { finishFlush: constants.Z_SYNC_FLUSH });
  t.ok(read.equals(Buffer.concat([...plain].reverse())));
  for (const [i, { length, checksum }] of pieces.entries()) {
    t.same({ length, checksum }, { length: plain[i]!.length, checksum: crc32(plain[i]!) });
  }
  t.same(await thread.deflate([]), []);
});

void t.test('checksums of parts make that of the whole', async (t) => {
  const bytes = Buffer.from(new SeededRandom(5).bytes(100_000));
  for (const cut of [0, 1, 2, 255, 65_536, 99_999, 100_000]) {
    const [first, second] = [bytes.subarray(0, cut), bytes.subarray(cut)];
    t.equal(combineCrc32(crc32(first), crc32(second), second.length), crc32(bytes), `cut at ${cut}`);
  }
});

void t.test('lists as gzip; a chunk is deflated once, and once more when it comes to stand first', async (t) => {
  stayAwake(t);
  const thread = new DeflateThread();
  const jobs: number[] = [];
  const counting: Deflate = { deflate: (pieces) => (jobs.push(pieces.length), thread.deflate(pieces)) };
  const lists = new DeflatedLists(counting);
  const chunks = Array.from({ length: 50 }, (_, i) => madeChunk(`torrent ${i} ☃ `.repeat(i)));
  const read = async (snapshot: ListSnapshot) => {
    const gzipped = Buffer.concat(await lists.gzip(snapshot));
    t.same(gunzipSync(gzipped), Buffer.concat(snapshot.json));
  };
  await read(madeList());
  t.same(jobs, []);
  const whole = madeList(...chunks);
  await Promise.all([read(whole), read(whole)]);
  await read(madeList(madeChunk('newest'), ...chunks));
  await read(madeList(madeChunk('newer'), ...chunks.slice(0, 10), ...chunks.slice(20)));
  await read(madeList(...chunks.slice(3)));
  t.same(jobs, [50, 2, 1, 1]);
});

void t.test('what could not be deflated is tried again', async (t) => {
  stayAwake(t);
  const thread = new DeflateThread();
  let isBroken = true;
  const lists = new DeflatedLists({
    deflate: (pieces) => (isBroken ? Promise.reject(new Error('ended')) : thread.deflate(pieces)),
  });
  const snapshot = madeList(madeChunk('a'), madeChunk('b'));
  await t.rejects(lists.gzip(snapshot), { message: 'ended' });
  await t.rejects(lists.torrents(snapshot), { message: 'ended' });
  isBroken = false;
  t.same(gunzipSync(Buffer.concat(await lists.gzip(snapshot))), Buffer.concat(snapshot.json));
});
