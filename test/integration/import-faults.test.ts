// Faults of the disk while the state of another program is read: what cannot be read is never taken for nothing, and what is said names
// it. What the disk does is made by strace, one call at a time.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { whyNoStrace } from '../crash/strace.js';
import { writeManyTorrents } from '../support/import/many-torrents.js';
import { makeScratch } from '../support/peers/scratch.js';

const READER = fileURLToPath(new URL('../support/read-foreign-state-child.js', import.meta.url));
const TORRENTS = 3;

interface Found {
  readonly records?: readonly string[];
  readonly notes?: readonly string[];
  readonly error?: string;
}

t.setTimeout(120_000);

void t.test('a state that cannot be read', { skip: whyNoStrace() ?? false }, async (t) => {
  const scratch = await makeScratch('import-faults');
  t.teardown(() => scratch.remove());
  const [home, savePath] = [join(scratch.path, 'home'), join(scratch.path, 'downloads')] as const;
  await mkdir(savePath);
  const { shown } = await writeManyTorrents(home, savePath, TORRENTS);
  const backup = join(home, 'BT_backup');
  const name = `${[...shown.keys()][0]}.fastresume`;
  await writeFile(join(backup, 'queue'), [...shown.keys()].join('\n'));
  const found = (...inject: readonly string[]) =>
    new Promise<Found>((resolve) => {
      const args = ['-f', '-qq', '-o', '/dev/null', ...inject, '--', process.execPath, READER, 'qbittorrent', home];
      const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };
      execFile('strace', args, { env }, (_error, out) => resolve(JSON.parse(out || '{}') as Found));
    });
  const failing = (calls: string, path: string, nth: string) => [
    '-P',
    path,
    '-e',
    `inject=${calls}:error=EIO:when=${nth}`,
  ];

  t.same((await found()).records, ['read', 'read', 'read']);
  for (const nth of ['1', '3']) {
    const { error } = await found(...failing('getdents64', backup, nth));
    t.equal(error, 'BT_backup: cannot be read (EIO)', 'a folder that cannot be listed is not one without torrents');
  }
  const { records: read = [] } = await found(...failing('pread64', join(backup, name), '1'));
  t.same([...read].sort(), ['read', 'read', `${name}: cannot be read (EIO)`].sort());
  const { notes } = await found(...failing('pread64', join(backup, 'queue'), '1'));
  t.match(notes?.at(-1), /^queue: cannot be read \(EIO\)/);
});
