// Lists in DEFLATE: the bytes of the list, of which only chunks that are new are deflated.
import { gunzipSync } from 'node:zlib';
import t from 'tap';
import { DeflateThread } from '../../../../api/torrent-list/deflate/deflate-thread.js';
import type { Deflate } from '../../../../api/torrent-list/deflate/deflated-part.js';
import { DeflatedLists } from '../../../../api/torrent-list/deflated-lists.js';
import type { ListSnapshot } from '../../../../api/torrent-list/list-snapshot.js';
import { madeChunk, madeList } from '../../../support/made-list.js';
import { stayAwake } from '../../../support/stay-awake.js';

void t.test('lists as gzip; a chunk is deflated once, and once more when it comes to stand first', async (t) => {
  stayAwake(t);
  const thread = new DeflateThread();
  const jobs: number[] = [];
  const counting: Deflate = { deflate: (parts) => (jobs.push(parts.length), thread.deflate(parts)) };
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
    deflate: (parts) => (isBroken ? Promise.reject(new Error('ended')) : thread.deflate(parts)),
  });
  const snapshot = madeList(madeChunk('a'), madeChunk('b'));
  await t.rejects(lists.gzip(snapshot), { message: 'ended' });
  await t.rejects(lists.torrents(snapshot), { message: 'ended' });
  isBroken = false;
  t.same(gunzipSync(Buffer.concat(await lists.gzip(snapshot))), Buffer.concat(snapshot.json));
});
