// transmission-remote shows of Swarmd what it shows of Transmission 3.00, line by line, for the same torrents.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { Differences } from '../../support/compatible/differences.js';
import { Rpc } from '../../support/compatible/rpc.js';
import { makeSamples, putFiles, type Samples } from '../../support/compatible/samples.js';
import { startSwarmd } from '../../support/compatible/swarmd.js';
import { forTest, type Target } from '../../support/compatible/target.js';
import { startTransmission } from '../../support/compatible/transmission-daemon.js';
import { runRemote, transmissionRemote } from '../../support/compatible/transmission-remote.js';
import { testWith, transmission } from '../../support/peers/index.js';
import { makeScratch } from '../../support/peers/scratch.js';
import { COMMANDS, type Command, type Places } from './remote/commands.js';
import { REMOTE_DIFFERENCES } from './remote/differences.js';
import { normal } from './remote/normal.js';

t.setTimeout(600_000);

void testWith(
  t,
  [transmission, transmissionRemote],
  `${COMMANDS.length} commands of transmission-remote`,
  async (t) => {
    const samples = await makeSamples(t);
    const real = await sideOf(t, await forTest(t, startTransmission), samples);
    const swarmd = await sideOf(t, await forTest(t, () => startSwarmd()), samples);
    const differences = new Differences(REMOTE_DIFFERENCES);
    for (const [at, command] of COMMANDS.entries()) {
      const name = command.line({ savePath: '…', files: { alpha: 'alpha', beta: 'beta', gamma: 'gamma' }, hash: '…' });
      const [expected, got] = [await run(real, command), await run(swarmd, command)];
      const rest = differences.withoutListed(name.join(' '), expected, got);
      t.same(rest.swarmd, rest.real, `${at + 1}. transmission-remote ${name.join(' ')}`);
    }
    t.same(differences.unseen(), [], 'each difference that is listed is one');
  },
);

interface Side {
  readonly target: Target;
  readonly rpc: Rpc;
  readonly places: Places;
  readonly samples: Samples;
}

async function sideOf(t: Test, target: Target, samples: Samples): Promise<Side> {
  const scratch = await makeScratch('torrent-files');
  t.teardown(() => scratch.remove());
  const { alpha, beta, gamma } = samples;
  const files = { alpha: '', beta: '', gamma: '' };
  for (const [name, { torrentBytes }] of Object.entries({ alpha, beta, gamma })) {
    files[name as keyof typeof files] = join(scratch.path, `${name}.torrent`);
    await writeFile(join(scratch.path, `${name}.torrent`), torrentBytes);
  }
  for (const sample of [alpha, gamma]) await putFiles(sample, target.savePath);
  const places = { savePath: target.savePath, files, hash: alpha.infoHash };
  return { target, places, samples, rpc: new Rpc(target) };
}

async function run(side: Side, { line, until, isAfterAnnounce }: Command): Promise<readonly string[]> {
  const { target, places, rpc, samples } = side;
  if (isAfterAnnounce) await rpc.waitForTracker(samples.alpha.infoHash);
  const { code, lines } = await runRemote(target, line(places));
  if (until) {
    const [torrent, status] = until;
    const isThere = status === 0 ? () => true : ({ percentDone }: { percentDone: number }) => percentDone === 1;
    await rpc.waitFor(samples[torrent].infoHash, (now) => now.status === status && isThere(now));
  }
  const told = normal(lines, target.savePath);
  return [...told, `exit ${code}`];
}
