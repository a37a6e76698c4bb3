// A script with python3-transmissionrpc, as people write them, does the same with Transmission and with Swarmd.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { makeSamples, putFiles, type Samples } from '../../support/compatible/samples.js';
import { startSwarmd } from '../../support/compatible/swarmd.js';
import { forTest, type Target } from '../../support/compatible/target.js';
import { startTransmission } from '../../support/compatible/transmission-daemon.js';
import { startChild } from '../../support/peers/child-process.js';
import { testWith, transmission, type Program } from '../../support/peers/index.js';
import { makeScratch } from '../../support/peers/scratch.js';

/** Debian's, which has the module; another may come first in PATH. */
const PYTHON = '/usr/bin/python3';
const SCRIPT = fileURLToPath(new URL('../../../../test/interop/compatible/rpc_script.py', import.meta.url));

const transmissionrpc: Program = {
  name: 'transmissionrpc',
  debianPackage: 'python3-transmissionrpc',
  isAvailable: () => spawnSync(PYTHON, ['-c', 'import transmissionrpc']).status === 0,
};

t.setTimeout(300_000);

void testWith(t, [transmission, transmissionrpc], 'a script with python3-transmissionrpc', async (t) => {
  const samples = await makeSamples(t);
  const expected = await told(t, await forTest(t, startTransmission), samples);
  const got = await told(t, await forTest(t, () => startSwarmd()), samples);
  t.ok(expected.length > 10, 'the script came to its end');
  t.same(got, expected);
});

/** The lines that the script wrote. */
async function told(t: Test, target: Target, samples: Samples): Promise<unknown[]> {
  const scratch = await makeScratch('script');
  t.teardown(() => scratch.remove());
  const file = join(scratch.path, 'beta.torrent');
  await writeFile(file, samples.beta.torrentBytes);
  await putFiles(samples.beta, target.savePath);
  const { port } = new URL(target.url);
  const lines: string[] = [];
  const args = [SCRIPT, port, target.username, target.password, file, target.savePath];
  const child = await startChild(PYTHON, args, { onLine: (line) => lines.push(line) });
  const { code } = await child.exited;
  t.equal(code, 0, `${target.name}: ${child.stderr}`);
  t.notOk(existsSync(join(target.savePath, 'beta/film.bin')), `${target.name}: its files were deleted`);
  return lines.map((line) => JSON.parse(line.replaceAll(target.savePath, '<save path>')) as unknown);
}
