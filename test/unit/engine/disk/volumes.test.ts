// Volumes that a test fills, locks and breaks, and torrents that write to them.
import t from 'tap';
import { diskError } from '../../../../engine/disk/errors.js';
import type { DiskWaiter } from '../../../../engine/disk/types.js';
import type { VolumeProbe } from '../../../../engine/disk/volume-probe.js';
import { Volumes } from '../../../../engine/disk/volumes.js';
import { WriteAdmission } from '../../../../engine/disk/write-admission.js';
import type { AppError } from '../../../../shared-protocol/errors.js';
import { QUIET } from '../../../support/disk-fixtures.js';

const MIB = 2 ** 20;
const GIB = 1024 * MIB;

const failure = (errno: string, path = 'box/a'): AppError =>
  diskError(Object.assign(new Error(`${errno}: refused`), { code: errno }), path.split('/'));

/** Two volumes, `/a` and `/b`, of a tebibyte each. */
class Machine implements VolumeProbe {
  readonly free = { a: 500 * GIB, b: 500 * GIB };
  readonly refusals = new Map<string, string>();
  readonly tried: string[] = [];
  looksAtSpace = 0;
  readonly notices: string[] = [];
  readonly volumes = new Volumes(
    {
      looks: this,
      log: { ...QUIET, warn: (text) => this.notices.push(text), info: (text) => this.notices.push(text) },
    },
    '/b/parts',
  );
  #nowMs = 0;

  async deviceOf(folder: string): Promise<number> {
    if (folder.startsWith('/a')) return 1;
    if (folder.startsWith('/b')) return 2;
    throw new Error('no such folder');
  }

  async spaceOf(folder: string) {
    this.looksAtSpace++;
    return { freeBytes: folder.startsWith('/a') ? this.free.a : this.free.b, totalBytes: 1024 * GIB };
  }

  async tryWrite(folder: string): Promise<void> {
    this.tried.push(folder);
    const errno = this.refusals.get(folder);
    if (errno !== undefined) throw Object.assign(new Error(errno), { code: errno });
  }

  async pass(seconds: number): Promise<void> {
    for (let i = 0; i < seconds; i++) {
      this.#nowMs += 1_000;
      this.volumes.tick(this.#nowMs);
      await settle();
    }
  }

  torrent(savePath: string, missingBytes = GIB): TestTorrent {
    return new TestTorrent(this, savePath, missingBytes);
  }

  async refuse(torrent: TestTorrent, error: AppError): Promise<void> {
    torrent.isWaiting = true;
    this.volumes.wait(torrent, error, this.#nowMs);
    await settle();
  }
}

class TestTorrent implements DiskWaiter {
  isWaiting = false;
  returns = 0;
  /** What happens when it is told. */
  then: () => void = () => undefined;
  readonly #admission: WriteAdmission;

  constructor(
    readonly machine: Machine,
    readonly savePath: string,
    private readonly missing: number,
  ) {
    this.#admission = new WriteAdmission(machine.volumes, savePath);
  }

  missingBytes(): number {
    return this.missing;
  }

  async onDiskBack(): Promise<void> {
    this.isWaiting = false;
    this.returns++;
    this.then();
  }

  /** As a storage does: asks, writes, says that it is done. */
  async write(bytes: number): Promise<string> {
    try {
      const admitted = this.#admission.admit(bytes);
      if (admitted) await admitted;
    } catch (error) {
      const known = error as AppError;
      await this.machine.refuse(this, known);
      return known.code;
    }
    if (this.savePath.startsWith('/a')) this.machine.free.a -= bytes;
    this.#admission.done(bytes);
    return 'written';
  }
}

const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

void t.test('a volume fills up to the reserve; all its torrents wait, those of another do not', async (t) => {
  const machine = new Machine();
  machine.free.a = 74 * MIB;
  const [one, two, other] = [machine.torrent('/a/x', 300 * MIB), machine.torrent('/a/y', 0), machine.torrent('/b')];
  for (let i = 0; i < 10; i++) t.equal(await one.write(MIB), 'written');
  t.equal(await one.write(MIB), 'DISK_FULL');
  t.equal(machine.free.a, 64 * MIB, 'the reserve is whole');
  t.equal(await two.write(1), 'DISK_FULL', 'closed is closed');
  t.equal(await other.write(MIB), 'written');
  t.equal(machine.notices.length, 1);

  machine.free.a = 363 * MIB;
  await machine.pass(60);
  t.ok(one.isWaiting, 'not room for all that is missing');
  machine.free.a = 364 * MIB;
  await machine.pass(30);
  t.match([one, two], [{ returns: 1 }, { returns: 1 }]);
  t.equal(machine.notices.length, 2, 'one for its end');
  t.equal(await one.write(MIB), 'written');
});

void t.test('the free space is looked at once for many writes', async (t) => {
  const machine = new Machine();
  const torrent = machine.torrent('/a');
  for (let i = 0; i < 64; i++) await torrent.write(MIB);
  t.equal(machine.looksAtSpace, 1);
  await torrent.write(MIB);
  t.equal(machine.looksAtSpace, 2);
});

void t.test('writes under way are counted before they show', async (t) => {
  const machine = new Machine();
  machine.free.a = 67 * MIB;
  const volume = await machine.volumes.of('/a');
  const admitted = async (bytes: number): Promise<boolean> => {
    try {
      await volume?.admit(bytes, '/a');
      return true;
    } catch {
      return false;
    }
  };
  t.ok(await admitted(2 * MIB));
  t.notOk(await admitted(2 * MIB), 'the first is not written yet');
});

void t.test('a device that fails is closed to all; the way back is by a trial, at growing intervals', async (t) => {
  const machine = new Machine();
  const [one, two] = [machine.torrent('/a/x'), machine.torrent('/a/y')];
  machine.refusals.set('/a/x', 'EIO');
  await machine.refuse(one, failure('EIO'));
  t.equal(await two.write(1), 'DISK_FAILED');
  machine.tried.length = 0;
  await machine.pass(77);
  t.equal(machine.tried.length, 5, '2, 7, 17, 47 and 77 s');
  machine.refusals.clear();
  await machine.pass(29);
  t.ok(one.isWaiting);
  await machine.pass(1);
  t.match([one, two], [{ returns: 1 }, { returns: 1 }]);
});

void t.test('a failure of one torrent on a device that takes writes is its own; it does not flap', async (t) => {
  const machine = new Machine();
  const [one, two] = [machine.torrent('/a/x'), machine.torrent('/a/y')];
  one.then = () => void machine.refuse(one, failure('EIO'));
  await machine.refuse(one, failure('EIO'));
  t.equal(await two.write(1), 'written');
  await machine.pass(120);
  t.equal(one.returns, 6, 'after 2, 7, 17, 47, 77 and 107 s, each later than the one before');
  t.equal(machine.notices.length, 2, 'the same trouble is said once');
  one.then = () => undefined;
  await machine.pass(400);
  await machine.refuse(one, failure('EIO'));
  t.equal(machine.notices.length, 3, 'long after it is trouble anew');
});

void t.test('a folder that may not be written to holds back its own torrents', async (t) => {
  const machine = new Machine();
  const [locked, open] = [machine.torrent('/a/locked'), machine.torrent('/a/open')];
  machine.refusals.set('/a/locked', 'EACCES');
  await machine.refuse(locked, failure('EACCES'));
  t.equal(await open.write(1), 'written');
  await machine.refuse(open, failure('EFBIG'));
  await machine.pass(2);
  t.match([locked, open], [{ returns: 0 }, { returns: 1 }]);
  machine.refusals.clear();
  await machine.pass(5);
  t.equal(locked.returns, 1);
});

void t.test('a part file lies elsewhere', async (t) => {
  const machine = new Machine();
  const torrent = machine.torrent('/a');
  machine.refusals.set('/b/parts', 'ENOSPC');
  await machine.refuse(torrent, failure('ENOSPC', `${'ab'.repeat(20)}.parts`));
  t.equal(await machine.torrent('/b').write(1), 'DISK_FULL');
  t.equal(await machine.torrent('/a').write(1), 'written');
});

void t.test('who leaves is not told, whenever it leaves', async (t) => {
  const machine = new Machine();
  const [early, late] = [machine.torrent('/a'), machine.torrent('/a')];
  machine.volumes.wait(early, failure('EROFS'), 0);
  machine.volumes.leave(early);
  await machine.refuse(late, failure('EROFS'));
  machine.volumes.leave(late);
  await machine.pass(60);
  t.match([early, late], [{ returns: 0 }, { returns: 0 }]);
  t.same(machine.tried, []);
  await machine.pass(300);
  await machine.refuse(machine.torrent('/a'), failure('EROFS'));
  t.equal(machine.notices.length, 2, 'what comes after them is trouble of its own');
});

void t.test('a folder of which nothing can be learnt is tried like any other', async (t) => {
  const machine = new Machine();
  const torrent = machine.torrent('/nowhere');
  t.equal(await torrent.write(1), 'written');
  await machine.refuse(torrent, failure('EIO'));
  await machine.pass(2);
  t.equal(torrent.returns, 1);
});

void t.test('trouble is told of when a torrent waits for it a while after the volume was closed', async (t) => {
  const machine = new Machine();
  machine.free.a = 0;
  const admission = new WriteAdmission(machine.volumes, '/a');
  const refusal = await Promise.resolve(admission.admit(MIB)).then(
    () => null,
    (error: AppError) => error,
  );
  t.match(refusal, { code: 'DISK_FULL' });
  await machine.pass(3);
  t.same(machine.notices, []);
  await machine.refuse(machine.torrent('/a'), refusal!);
  t.same(machine.notices, ['the disk is full, downloads wait']);
  machine.free.a = 500 * GIB;
  await machine.pass(3);
  t.equal(machine.notices.length, 2, 'and of its end');
});
