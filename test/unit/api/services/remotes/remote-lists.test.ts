// The lists of several remotes in their thread, of which one tells what takes more memory than there is.
import t from 'tap';
import { RemoteLists } from '../../../../../api/services/remotes/remote-lists.js';

const HEAD = '{"type":"torrents:tick","payload":[';
const tick = (items: string): Uint8Array => new Uint8Array(Buffer.from(`${HEAD}${items}]}`));

void t.test('a list of objects without end takes nothing of the others', async (t) => {
  const lists = new RemoteLists(() => t.fail('the thread goes on'));
  t.teardown(() => lists.close());
  t.equal(await lists.take(1, tick('')), 0);
  await t.rejects(lists.take(2, tick(`${'{},'.repeat(43_000_000)}{}`)), { message: 'its list is too large' });
  t.match(await lists.changes(new Map([[1, -1]])), new Map([[1, { revision: Number }]]));
});

void t.test('a list that grows bit by bit has a bound of its own', async (t) => {
  const lists = new RemoteLists(() => t.fail('the thread goes on'));
  t.teardown(() => lists.close());
  await lists.take(1, tick(''));
  let taken = 0;
  const grow = async (): Promise<void> => {
    for (let batch = 0; batch < 20; batch++) taken = await lists.take(2, delta(batch * 1_000, 1_000));
  };
  await t.rejects(grow(), { message: 'its list is too large' });
  t.equal(taken, 8_000, 'of 30,000 characters each');
  t.same([...(await lists.changes(new Map([1, 2].map((id) => [id, -1])))).keys()], [1]);
});

void t.test('a message goes over to the thread without being copied', async (t) => {
  const lists = new RemoteLists(() => t.fail('the thread goes on'));
  t.teardown(() => lists.close());
  const bytes = delta(0, 10);
  t.equal(await lists.take(1, bytes), 10);
  t.equal(bytes.length, 0, "it is the thread's");
  const shared = new Uint8Array(1_000);
  shared.set(tick(''), 10);
  t.equal(await lists.take(1, shared.subarray(10, 10 + tick('').length)), 0);
  t.equal(shared.length, 1_000, 'of memory of others it has a copy');
});

/** Further torrents, each with a long name. */
function delta(first: number, count: number): Uint8Array {
  const torrent = {
    ...{ id: '', name: 'n'.repeat(30_000), magnet: '', save_path: '/srv', access: 'owner' },
    ...{ total_bytes: 10, bytes_done: 5, progress: 0.5, download_rate: 1, upload_rate: 2, peers: 3, seeds: 1 },
    ...{ paused: false, completed: false, added_at: 7, category_id: null, tags: [], queue_position: 1 },
    ...{ force_start: false, sequential: false, queued: false, verifying: false, files_missing: false },
  };
  const upsert = Array.from({ length: count }, (_, at) => ({
    ...torrent,
    id: (first + at).toString(16).padStart(40, '0'),
  }));
  return new Uint8Array(Buffer.from(JSON.stringify({ type: 'torrents:delta', payload: { upsert, removed: [] } })));
}
