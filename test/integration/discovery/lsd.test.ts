// Two whole daemons on the two ends of a cable that know of each other by local service discovery only (BEP 14).
import t from 'tap';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { makeNamespacePair, namespacesUnavailable, type NamespacePair, type Side } from '../../support/namespaces.js';
import { digestsOf, KIB, MIB, writePayload } from '../../support/peers/payload.js';
import { makeScratch } from '../../support/peers/scratch.js';
import { waitUntil } from '../../support/peers/wait-until.js';

const PROGRAM = fileURLToPath(new URL('../../support/lsd-daemon-child.js', import.meta.url));
const TOTAL_BYTES = 4 * MIB + 17;
const TIMEOUT_MS = 30_000;

t.setTimeout(120_000);

void t.test('no tracker, no DHT, no address: a neighbour', { skip: namespacesUnavailable() }, async (t) => {
  const scratch = await makeScratch('lsd', 3 * TOTAL_BYTES);
  t.teardown(() => scratch.remove());
  const payload = await writePayload(scratch.path, TOTAL_BYTES, 64 * KIB);
  const torrentFile = `${scratch.path}/one.torrent`;
  const target = `${scratch.path}/target`;
  await Promise.all([writeFile(torrentFile, payload.torrent()), mkdir(target)]);
  const pair = await makeNamespacePair();
  const seed = run(pair, 'a', [torrentFile, payload.directory]);
  const leech = run(pair, 'b', [torrentFile, target]);
  try {
    await waitUntil('the seed', TIMEOUT_MS, () => seed.isComplete() || undefined, seed.said);
    await waitUntil('the leech', TIMEOUT_MS, () => leech.isComplete() || undefined, leech.said);
    t.same(await digestsOf(payload, target), payload.digests, 'the same files');
  } finally {
    t.same(await Promise.all([seed.end(), leech.end()]), [0, 0], 'both end by themselves');
    await pair.remove();
  }
});

interface Neighbour {
  isComplete(): boolean;
  said(): string;
  /** Its exit code. */
  end(): Promise<number | null>;
}

function run(pair: NamespacePair, side: Side, args: readonly string[]): Neighbour {
  const child = pair.run(side, process.execPath, [PROGRAM, ...args]);
  let [out, err] = ['', ''];
  child.stdout?.on('data', (bytes: Buffer) => (out += bytes.toString()));
  child.stderr?.on('data', (bytes: Buffer) => (err += bytes.toString()));
  const exited = new Promise<number | null>((resolve) => void child.once('exit', resolve));
  return {
    isComplete: () => out.includes('"complete":true'),
    said: () => out + err,
    end() {
      child.stdin?.end();
      return exited;
    },
  };
}
