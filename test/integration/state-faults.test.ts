// A disk that takes nothing of the state for a while, under a real daemon: what cannot be stored is refused with a reason that people
// and programs understand, the log says which file and why, and once it takes writes again all goes on.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import t from 'tap';
import { whyNoStrace } from '../crash/strace.js';
import { startDaemon, type DaemonUnderTest, type Reply } from '../support/daemon.js';
import { makeScratch } from '../support/peers/scratch.js';
import { waitUntil } from '../support/peers/wait-until.js';

const TIMEOUT_MS = 20_000;
const WRITES = 'fdatasync,fsync,pwrite64,pwritev,rename,link,mkdir';

t.setTimeout(120_000);
const skip = whyNoStrace() ?? false;

for (const [errno, calls, words, reason] of [
  ['EROFS', WRITES, 'the disk is read-only', { code: 'STORAGE_FAILED', data: { errno: 'EROFS' } }],
  ['EIO', WRITES, 'the disk failed', { code: 'STORAGE_FAILED', data: { errno: 'EIO' } }],
  ['EDQUOT', WRITES, 'disk full', { code: 'DISK_FULL' }],
  ['EMFILE', 'openat', 'too many files are open', { code: 'STORAGE_FAILED', data: { errno: 'EMFILE' } }],
] as const) {
  void t.test(`${errno}, and then not`, { skip }, async (t) => {
    const daemon = await startDaemon();
    t.teardown(() => daemon.stop());
    t.match(await addCategory(daemon, 'before'), { status: 200 });
    const end = await failing(daemon, calls, errno);
    t.same(await addCategory(daemon, 'refused'), {
      ...{ status: 500, json: { error: `storage failure: ${words}`, ...reason } },
    });
    t.match(daemon.stderr, new RegExp(`cannot write [^"]*/labels.json: [^"]*${errno}`), 'the log says why');
    // LMDB has its file open.
    if (calls === WRITES) {
      t.match(await addMagnet(daemon, 1), { status: 400, json: { error: /^torrent store: cannot write/, ...reason } });
      t.match(daemon.stderr, /"level":"warn".*"path":"\/api\/torrents\/magnet".*cannot write/);
    }
    await end();
    t.match(await addCategory(daemon, 'after'), { status: 200 });
    t.match(await addMagnet(daemon, 2), { status: 200 });
    const { json } = await daemon.api<readonly { name: string }[]>('GET', '/api/categories');
    t.same(
      json.map(({ name }) => name),
      ['before', 'after'],
    );
    t.equal((await daemon.torrents()).length, 1);
  });
}

void t.test(
  'what was refused because its folder could not be synced is not there after a kill',
  { skip },
  async (t) => {
    const { path: scratch, remove } = await makeScratch('state-faults');
    t.teardown(remove);
    const dataDir = join(scratch, 'data');
    const daemon = await startDaemon({ dataDir });
    t.teardown(() => daemon.kill());
    t.match(await addCategory(daemon, 'before'), { status: 200 });
    await failing(daemon, 'fsync', 'EIO');
    t.match(await addCategory(daemon, 'refused'), { status: 500 });
    // The very first of their kind, too.
    t.match(await daemon.api('POST', '/api/tags', { name: 'refused', color: '#123456' }), { status: 500 });
    t.match(await daemon.api('POST', '/api/feeds', { url: 'http://127.0.0.1:1/', name: 'refused' }), { status: 500 });
    await daemon.kill();
    const next = await startDaemon({ dataDir });
    t.teardown(() => next.stop());
    const named = async (path: string) =>
      (await next.api<readonly { name: string }[]>('GET', path)).json.map(({ name }) => name);
    t.same(await Promise.all(['/api/categories', '/api/tags', '/api/feeds'].map(named)), [['before'], [], []]);
  },
);

/** From its return on these calls of the daemon fail, until the function that it returns. */
async function failing(daemon: DaemonUnderTest, calls: string, errno: string): Promise<() => Promise<void>> {
  const inject = ['-e', `trace=${calls}`, '-e', `inject=${calls}:error=${errno}`];
  const strace = spawn('strace', ['-f', '-qq', '-o', '/dev/null', '-p', String(daemon.pid), ...inject]);
  await waitUntil('a refusal', TIMEOUT_MS, async () => {
    const { status } = await daemon.api('PUT', '/api/settings/limits', {
      ...{ down_kbps: 0, up_kbps: 0, alt_down_kbps: 0, alt_up_kbps: 0, alt_active: false },
    });
    return status === 500 || undefined;
  });
  return async () => {
    strace.kill('SIGINT');
    await once(strace, 'exit');
  };
}

function addCategory(daemon: DaemonUnderTest, name: string): Promise<Reply> {
  return daemon.api('POST', '/api/categories', { name, color: '#123456', default_save_path: '' });
}

function addMagnet(daemon: DaemonUnderTest, n: number): Promise<Reply> {
  return daemon.api('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${String(n).padStart(40, '0')}` });
}
