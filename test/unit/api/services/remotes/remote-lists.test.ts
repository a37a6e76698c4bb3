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
