// Nobody is at a torrent's bytes before what was left is taken up, nor after they were deleted.
import t from 'tap';
import { StorageGate } from '../../../../engine/disk/storage-gate.js';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';

/** What happens, in its order; a load that fails that often first. */
function setScene(failures = 0) {
  const seen: string[] = [];
  let left = failures;
  const gate = new StorageGate(parseInfoHash('ab'.repeat(20)), async () => {
    seen.push('load');
    await new Promise<void>((resolve) => void setImmediate(resolve));
    if (left-- > 0) throw new Error('cannot be read');
    seen.push('loaded');
  });
  const work = (name: string) => async () => void seen.push(name);
  return { gate, seen, work };
}

void t.test('what was left is taken up once, before whoever comes first', async (t) => {
  const { gate, seen, work } = setScene();
  t.notOk(gate.isLoaded);
  await Promise.all([gate.shared(work('read')), gate.alone(work('move')), gate.shared(work('write'))]);
  t.ok(gate.isLoaded);
  t.same(seen, ['load', 'loaded', 'read', 'move', 'write']);
  await gate.shared(work('again'));
  t.same(seen.slice(5), ['again']);
});

void t.test('all that wait for it hear that it failed, and the next one tries again', async (t) => {
  const { gate, seen, work } = setScene(1);
  const both = await Promise.allSettled([gate.shared(work('read')), gate.alone(work('move'))]);
  t.same(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  await gate.shared(work('later'));
  t.same(seen, ['load', 'load', 'loaded', 'later']);
});

void t.test('what is closed before anybody came is not loaded', async (t) => {
  const { gate, seen, work } = setScene();
  await gate.close(work('close'));
  t.same(seen, ['close']);
});

void t.test('nobody is let in after the deletion, not even those who wait', async (t) => {
  const { gate, seen, work } = setScene();
  await gate.shared(work('read'));
  const deleted = gate.delete(work('delete'));
  const refused = { code: 'FILES_MISSING' };
  await Promise.all([t.rejects(gate.shared(work('late')), refused), t.rejects(gate.alone(work('later')), refused)]);
  await deleted;
  t.notOk(gate.isLoaded);
  await t.rejects(gate.shared(work('last')), refused);
  await gate.close(work('close'));
  t.same(seen, ['load', 'loaded', 'read', 'delete', 'close'], 'and nothing is taken up again');
});

void t.test('a deletion that fails is one all the same', async (t) => {
  const { gate, seen, work } = setScene();
  await t.rejects(
    gate.delete(() => Promise.reject(new Error('busy'))),
    { message: 'busy' },
  );
  await t.rejects(gate.shared(work('read')), { code: 'FILES_MISSING' });
  t.same(seen, []);
});
