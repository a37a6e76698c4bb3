// The desktop program opens the browser: what stands in the list of processes then is read by a program in the place of
// xdg-open, as any user of the machine could, and lets nobody in.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { startDaemon } from '../support/daemon.js';
import { waitUntil } from '../support/peers/wait-until.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const TOKEN = /[A-Za-z0-9_-]{43}/;
const WAIT_MS = 30_000;

void t.test('no sign-in token is an argument of the program that opens the browser', async (t) => {
  const base = await temporaryDirectory();
  const [bin, seen] = [join(base, 'bin'), join(base, 'seen')];
  await mkdir(bin);
  const opener = join(bin, 'xdg-open');
  // Written elsewhere first, so that whoever waits for it finds it whole.
  await writeFile(opener, `#!/bin/sh\ntr '\\0' '\\n' < /proc/$$/cmdline > '${seen}.new'\nmv '${seen}.new' '${seen}'\n`);
  await chmod(opener, 0o755);
  const daemon = await startDaemon({
    args: ['--flavor', 'desktop'],
    env: { PATH: `${bin}:${process.env['PATH']}`, DISPLAY: ':99' },
  });
  t.teardown(() => daemon.stop());
  const listed = await waitUntil('the browser to be opened', WAIT_MS, () =>
    readFile(seen, 'utf8').catch(() => undefined),
  );
  const page = join(daemon.dataDir, 'sign-in.html');
  t.same(listed.trim().split('\n').slice(-1), [page]);
  t.notMatch(listed.replaceAll(page, ''), TOKEN);
  const [, token = ''] = /sign in: \S+#(\S+)/.exec(daemon.stderr) ?? [];
  t.match(token, TOKEN);
  t.ok((await readFile(page, 'utf8')).includes(`${daemon.url}/signin#${token}`), 'the page leads to the link');
  t.equal((await daemon.api('POST', '/api/signin', { token })).status, 200);
});
