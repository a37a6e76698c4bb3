// The pool opens what its slots say: here /dev/null, through an opener that runs out of descriptors on demand.
import { fstatSync, openSync } from 'node:fs';
import t from 'tap';
import { FilePool, FileSlot, type OpenFile } from '../../../../engine/disk/file-pool.js';
import { QUIET } from '../../../support/disk-fixtures.js';

const isOpen = ({ fd }: Pick<OpenFile, 'fd'>): boolean => {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch {
    return false;
  }
};

const slotOf = (log: string[] = [], name = ''): FileSlot =>
  new FileSlot(async (mode) => {
    log.push(`${name}${mode}`);
    return openSync('/dev/null', mode === 'read' ? 'r' : 'r+');
  });

void t.test('the file that was idle longest is closed first, one in use never', async (t) => {
  const pool = new FilePool({ log: QUIET }, { maxOpenFiles: 2 });
  const [a, b, c] = [slotOf(), slotOf(), slotOf()];
  const pinned = await pool.acquire(a, 'read');
  const idle = await pool.acquire(b, 'read');
  pool.release(idle);
  const third = await pool.acquire(c, 'read');
  t.equal(b.current, null);
  t.equal(a.current, pinned);
  t.ok(isOpen(pinned));
  t.equal(pool.openCount, 2);
  pool.release(third);
  pool.release(pinned);
  // b replaces c: a was released after it.
  pool.release(await pool.acquire(b, 'read'));
  t.equal(c.current, null);
  t.equal(a.current, pinned);
  await pool.close();
  t.equal(pool.openCount, 0);
  t.notOk(isOpen(pinned));
});

void t.test('an operation waits for room, a pin does not', async (t) => {
  const pool = new FilePool({ log: QUIET }, { maxOpenFiles: 1 });
  const first = await pool.acquire(slotOf(), 'read');
  const waiting = pool.acquire(slotOf(), 'read');
  const pin = await pool.acquire(slotOf(), 'read', 'pin');
  t.equal(pool.openCount, 2);
  pool.release(first);
  pool.release(pin);
  const second = await waiting;
  t.ok(isOpen(second));
  t.equal(pool.openCount, 1);
  pool.release(second);
  await pool.close();
});

void t.test('one open serves all who ask at once; writing replaces a read-only descriptor', async (t) => {
  const opened: string[] = [];
  const pool = new FilePool({ log: QUIET }, { maxOpenFiles: 4 });
  const slot = slotOf(opened);
  const [one, two] = await Promise.all([pool.acquire(slot, 'read'), pool.acquire(slot, 'read')]);
  t.equal(one, two);
  const writer = await pool.acquire(slot, 'write');
  t.not(writer, one);
  t.ok(isOpen(one), 'the reader keeps its own');
  pool.release(one);
  t.ok(isOpen(one));
  pool.release(two);
  t.equal(await pool.acquire(slot, 'read'), writer, 'a writable one can read');
  pool.release(writer);
  pool.release(writer);
  t.same(opened, ['read', 'write']);
  await pool.close();
  t.equal(pool.openCount, 0);
});

void t.test('a failed open is reported to each, and does not count', async (t) => {
  const pool = new FilePool({ log: QUIET }, { maxOpenFiles: 1 });
  const absent = new FileSlot(async () => openSync('/nonexistent/file', 'r'));
  const results = await Promise.allSettled([pool.acquire(absent, 'read'), pool.acquire(absent, 'read')]);
  t.same(
    results.map((result) => result.status),
    ['rejected', 'rejected'],
  );
  t.equal(pool.openCount, 0);
  pool.release(await pool.acquire(slotOf(), 'read'));
  await pool.close();
});

/** A process that may have so many descriptors. */
class ScarceProcess {
  readonly #fds = new Set<number>();
  constructor(public limit: number) {}

  slot(): FileSlot {
    return new FileSlot(async () => {
      for (const fd of this.#fds) if (!isOpen({ fd })) this.#fds.delete(fd);
      if (this.#fds.size >= this.limit) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
      const fd = openSync('/dev/null', 'r');
      this.#fds.add(fd);
      return fd;
    });
  }
}

void t.test('EMFILE closes idle files, shrinks the pool, and the open succeeds', async (t) => {
  const pool = new FilePool({ log: QUIET }, { maxOpenFiles: 10, retryMs: 0 });
  const scarce = new ScarceProcess(3);
  for (let i = 0; i < 8; i++) {
    const file = await pool.acquire(scarce.slot(), 'read');
    t.ok(isOpen(file));
    pool.release(file);
  }
  t.equal(pool.limit, 3);
  t.equal(pool.openCount, 3);

  scarce.limit = 0;
  const patient = pool.acquire(scarce.slot(), 'read');
  setImmediate(() => (scarce.limit = 1));
  pool.release(await patient);
  t.equal(pool.limit, 1);
  scarce.limit = 100;
  for (let i = 0; i < 64; i++) pool.release(await pool.acquire(scarce.slot(), 'read'));
  t.equal(pool.limit, 2, 'it grows again, slowly');
  await pool.close();
  t.equal(pool.openCount, 0);
});

void t.test('EMFILE that lasts makes an open wait, until the pool is closed', async (t) => {
  const pool = new FilePool({ log: QUIET }, { maxOpenFiles: 10, retryMs: 0 });
  const scarce = new ScarceProcess(0);
  const [patient, late] = [pool.acquire(scarce.slot(), 'read'), scarce.slot()];
  await new Promise((resolve) => void setTimeout(resolve, 20));
  t.equal(pool.limit, 1);
  scarce.limit = 1;
  pool.release(await patient);
  scarce.limit = 0;
  const hopeless = pool.acquire(late, 'read');
  await pool.close();
  await t.rejects(hopeless, { code: 'EMFILE' });
  t.equal(pool.openCount, 0);
});

void t.test('a forgotten file is closed by its last user', async (t) => {
  const pool = new FilePool({ log: QUIET }, { maxOpenFiles: 2 });
  const slot = slotOf();
  const file = await pool.acquire(slot, 'read');
  await pool.forget(slot);
  t.ok(isOpen(file));
  const again = await pool.acquire(slot, 'read');
  t.not(again, file);
  pool.release(file);
  pool.release(again);
  t.equal(slot.current, again);
  await pool.close();
  t.equal(pool.openCount, 0);
});

void t.test('after close a file is open only while it is used', async (t) => {
  const pool = new FilePool({ log: QUIET }, { maxOpenFiles: 2 });
  const slot = slotOf();
  const used = await pool.acquire(slot, 'read');
  await pool.close();
  t.ok(isOpen(used));
  pool.release(used);
  t.equal(slot.current, null);
  await pool.forget(slot);
  const late = await pool.acquire(slot, 'read');
  t.ok(isOpen(late));
  pool.release(late);
  t.equal(slot.current, null);
});
