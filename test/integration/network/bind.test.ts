// A daemon that is bound to an interface, on a machine with two: nothing leaves by the other one, whatever becomes of
// the first. The machine, its networks and the far host are namespaces; the test proper is bind-in-namespace.ts.
import t, { type Test } from 'tap';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { namespacesUnavailable } from '../../support/namespaces.js';
import { libtorrent } from '../../support/peers/libtorrent.js';
import { KIB, MIB, writePayload } from '../../support/peers/payload.js';
import { makeScratch } from '../../support/peers/scratch.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { FAR_HOST, makeTwoUplinks, type TwoUplinks } from '../../support/two-uplinks.js';

const IN_NAMESPACE = fileURLToPath(new URL('./bind-in-namespace.js', import.meta.url));
const FAR_PROGRAM = fileURLToPath(new URL('../../support/far-host.js', import.meta.url));
const TOTAL_BYTES = 4 * MIB;
const TIMEOUT_MS = 20_000;

t.setTimeout(150_000);

const skip = namespacesUnavailable() || (libtorrent.isAvailable() ? false : 'libtorrent: not installed');

void t.test('bound to an interface that goes and comes back', { skip }, async (t) => {
  await inTheMachine(t, 'bound');
});

void t.test('not bound: the same goes out by the other way, so the test would notice', { skip }, async (t) => {
  await inTheMachine(t, 'unbound');
});

async function inTheMachine(t: Test, mode: 'bound' | 'unbound'): Promise<void> {
  const scratch = await makeScratch(`bind-${mode}`, 3 * TOTAL_BYTES);
  t.teardown(() => scratch.remove());
  const uplinks = await makeTwoUplinks();
  t.teardown(() => uplinks.remove());
  await startFarHost(uplinks);
  const payload = await writePayload(scratch.path, TOTAL_BYTES, 64 * KIB);
  const torrentFile = `${scratch.path}/one.torrent`;
  await writeFile(torrentFile, payload.torrent());
  const seed = await libtorrent.start({ host: FAR_HOST, launcher: uplinks.launcher('far') });
  t.teardown(() => seed.close());
  await seed.seed(payload.torrent(), payload.directory);
  const child = uplinks.run('machine', process.execPath, [IN_NAMESPACE, mode, torrentFile, seed.address, scratch.path]);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes: Buffer) => (said += bytes.toString()));
  const code = await new Promise((resolve) => void child.once('exit', resolve));
  t.equal(code, 0, 'see bind-in-namespace.ts');
  if (code !== 0) t.comment(said);
}

async function startFarHost(uplinks: TwoUplinks): Promise<void> {
  const child = uplinks.run('far', process.execPath, [FAR_PROGRAM, FAR_HOST]);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes: Buffer) => (said += bytes.toString()));
  await waitUntil(
    'the far host',
    TIMEOUT_MS,
    () => said.includes('ready') || undefined,
    () => said,
  );
}
