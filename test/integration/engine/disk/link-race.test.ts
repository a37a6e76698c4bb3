// A local user swaps a torrent's folder for a link, as fast as a machine can, while files are made and deleted: nothing
// outside of the save path is made, changed or removed. renameat2(2) does it in one step; Python can call it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { createDisk } from '../../../../engine/disk/disk.js';
import { payloadOf, QUIET, temporaryFolder, torrentOf } from '../../../support/disk-fixtures.js';

const FILES = 400;
const INFO = torrentOf(16_384, ...Array.from({ length: FILES }, (_, n) => `box/sub/${n} 10`));
const SWAPPER = `
import ctypes, sys
libc = ctypes.CDLL(None, use_errno=True)
one, other = sys.argv[1].encode(), sys.argv[2].encode()
print('ready', flush=True)
while True:
    if libc.syscall(316, -100, one, -100, other, 2) != 0 and ctypes.get_errno() not in (2, 39): sys.exit(3)
`;

/** The number of renameat2 is another one on other machines. */
const skip = process.platform === 'linux' && process.arch === 'x64' ? false : 'x86-64 Linux only';

void t.test('files are made and deleted where they belong, or not at all', { skip }, async (t) => {
  const root = await temporaryFolder(t);
  const [save, outside] = [join(root, 'save'), join(root, 'outside')];
  await mkdir(join(outside, 'sub'), { recursive: true });
  for (let n = 0; n < FILES; n++) await writeFile(join(outside, 'sub', `${n}`), 'theirs');
  await writeFile(join(outside, 'sub', 'other'), 'theirs');
  await mkdir(join(save, 'box', 'sub'), { recursive: true });
  await symlink(outside, join(save, 'link'));

  const child = spawn('python3', ['-c', SWAPPER, join(save, 'box'), join(save, 'link')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const disk = createDisk({ partsDir: join(root, 'parts'), log: QUIET });
  t.teardown(() => disk.close());
  const payload = payloadOf(INFO);
  let refused = 0;
  for (let round = 0; round < 3; round++) {
    const storage = disk.openTorrent({ info: INFO, savePath: save, priorities: INFO.files.map(() => 'normal') });
    for (const { offset, sizeBytes } of INFO.files) {
      await storage.write(offset, payload.subarray(offset, offset + sizeBytes)).catch(() => refused++);
    }
    await storage.close();
    await storage.deleteFiles().catch(() => refused++);
  }
  t.equal(child.exitCode, null, 'the folder was swapped all the time');
  t.ok(refused > 0, `the swaps were met (${refused} refusals)`);
  t.equal((await readdir(join(outside, 'sub'))).length, FILES + 1, 'nothing made, nothing removed');
  for (const name of await readdir(join(outside, 'sub'))) {
    if ((await readFile(join(outside, 'sub', name), 'utf8')) !== 'theirs') t.fail(`${name} was changed`);
  }
  t.same(await readdir(outside), ['sub']);
});
