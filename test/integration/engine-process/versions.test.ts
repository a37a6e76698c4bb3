// A front that is one version behind its engine, or ahead of it: the real processes, with the number of the protocol changed between
// them. Neither begins with the other, both logs say which is to be upgraded, and the engine goes on for a front of its own.
import t, { type Test } from 'tap';
import { mkdir } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { STREAM_PROTOCOL } from '../../../shared-protocol/stream/messages.js';
import { MAIN, startDaemon } from '../../support/daemon.js';
import { startOwnEngine } from '../../support/own-engine.js';
import { startChild } from '../../support/peers/child-process.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const TIMEOUT_MS = 30_000;

/** What is started by hand here is not started once more by the daemon under test. */
process.env['SWARMD_TEST_ENGINE'] = '';

/** A socket in front of the engine's, through which fronts name another protocol, of as many characters. */
async function startRenaming(t: Test, path: string, target: string, protocol: string): Promise<void> {
  const server = createServer((near) => {
    const far = connect(target);
    near.on('error', () => far.destroy()).on('close', () => far.destroy());
    far.on('error', () => near.destroy()).on('close', () => near.destroy());
    near.on('data', (bytes) => far.write(bytes.toString('latin1').replace(STREAM_PROTOCOL, protocol), 'latin1'));
    far.pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  t.teardown(() => void server.close());
}

void t.test('the front says why it ends, and the engine whom it has refused', async (t) => {
  const base = await temporaryDirectory();
  const [scratch, savePath] = [join(base, 's'), join(base, 'saved')];
  await mkdir(scratch);
  await mkdir(savePath);
  const { flags, child } = await startOwnEngine(MAIN, { link: 'unix', dataDir: join(base, 'engine'), scratch });
  t.teardown(() => child.stop('SIGKILL'));
  const [, address = '', ...tokenFlags] = flags;
  const front = await startDaemon({ dataDir: join(base, 'right'), savePath, args: flags });
  t.teardown(async () => void (await front.stop()));
  const sides = [
    { protocol: 'swarmd-engine.0', upgraded: 'front' },
    { protocol: 'swarmd-engine.2', upgraded: 'engine' },
  ];
  for (const { protocol, upgraded } of sides) {
    const said = `this engine speaks ${STREAM_PROTOCOL}, the front ${protocol}: upgrade the ${upgraded}`;
    const path = join(scratch, upgraded);
    await startRenaming(t, path, address.slice('unix:'.length), protocol);
    const args = ['--data-dir', join(base, `of-${upgraded}`), '--save-path', savePath, '--port', '0'];
    const other = await startChild(process.execPath, [MAIN, ...args, '--engine', `unix:${path}`, ...tokenFlags]);
    t.teardown(() => other.stop('SIGKILL'));
    t.equal((await other.exited).code, 1);
    const lines = (text: string, message: string) =>
      text.split('\n').filter((line) => line.includes(message) && line.includes(said));
    t.match(lines(other.stderr, '"engine away"')[0], /"level":"warn".*refused \(426\)/, 'the log of the front');
    t.ok(lines(other.stderr, 'swarmd: ').length > 0, 'its last word');
    await waitUntil(
      'the log of the engine',
      TIMEOUT_MS,
      () => lines(child.stderr, '"front refused"')[0],
      () => child.stderr,
    );
  }
  t.equal((await front.api('GET', '/api/torrents')).status, 200);
  t.match((await front.api('GET', '/api/status')).json, { engine_away_since: null });
});
