// The stream between a daemon and the process of its engine is cut again and again, while torrents come, go and change:
// what the front lists in the end is what a front that is told everything anew lists. CUTS and CUT_EVERY_S make it longer.
import t from 'tap';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CutRelay } from '../../support/cut-relay.js';
import { MAIN, startDaemon, type DaemonUnderTest, type TorrentView } from '../../support/daemon.js';
import { startOwnEngine } from '../../support/own-engine.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { SeededRandom } from '../../support/seeded-random.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const CUTS = Number(process.env['CUTS'] ?? 25);
const CUT_EVERY_S = Number(process.env['CUT_EVERY_S'] ?? 0);
const CHANGES_OF_A_ROUND = 20;
const TIMEOUT_MS = 60_000;
t.setTimeout((CUTS * CUT_EVERY_S + 300) * 1_000);

process.env['SWARMD_TEST_ENGINE'] = '';

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly paused: boolean;
  readonly queue_position: number;
}

const listOf = async (daemon: DaemonUnderTest): Promise<Listed[]> =>
  (await daemon.torrents())
    .map((torrent) => torrent as TorrentView & Listed)
    .map(({ id, name, paused, queue_position }) => ({ id, name, paused, queue_position }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));

void t.test('no cut loses anything', async (t) => {
  const base = await temporaryDirectory();
  const [root, dataDir, scratch] = [join(base, 'root'), join(base, 'front'), join(base, 'scratch')];
  for (const folder of [root, scratch]) await mkdir(folder);
  const engine = await startOwnEngine(MAIN, { link: 'unix', dataDir: join(base, 'engine'), scratch });
  t.teardown(() => engine.child.stop());
  const relay = await CutRelay.start(join(scratch, 'relay'), join(scratch, 'engine.sock'));
  const through = ['--engine', `unix:${join(scratch, 'relay')}`, ...engine.flags.slice(2)];
  let front = await startDaemon({ dataDir, savePath: root, args: through });
  t.teardown(() => front.stop());
  t.teardown(() => relay.close());
  const random = new SeededRandom(7);
  let made = 0;
  let refused = 0;
  const known: string[] = [];
  const change = async (): Promise<void> => {
    const kind = random.below(4);
    const id = known[random.below(Math.max(1, known.length))];
    let answer;
    if (kind < 2 || id === undefined) {
      const hash = (++made).toString(16).padStart(40, '0');
      const magnet = `magnet:?xt=urn:btih:${hash}`;
      answer = await front.api('POST', '/api/torrents/magnet', { magnet, paused: kind === 0 });
      known.push(hash);
    } else if (kind === 2) {
      answer = await front.api('POST', `/api/torrents/${id}/${random.below(2) ? 'pause' : 'resume'}`);
    } else {
      answer = await front.api('DELETE', `/api/torrents/${id}`);
      known.splice(known.indexOf(id), 1);
    }
    if (answer.status === 503) refused++;
    else if (answer.status !== 404) t.equal(answer.status, 200, JSON.stringify(answer.json));
  };
  for (let cut = 0; cut < CUTS; cut++) {
    await Promise.all(Array.from({ length: CHANGES_OF_A_ROUND / 2 }, change));
    await sleep(CUT_EVERY_S * 1_000);
    const changes = Array.from({ length: CHANGES_OF_A_ROUND / 2 }, change);
    relay.cut();
    await Promise.all(changes);
    await waitUntil('the stream is there again', TIMEOUT_MS, async () => {
      const { status } = await front.api('GET', '/api/healthz');
      return status === 200 || undefined;
    });
  }
  t.comment(`${CUTS} cuts, ${made} torrents added, ${refused} commands refused or left open`);
  // Once more something that is answered: whatever was told before is here with it.
  await front.api('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${'f'.repeat(40)}`, paused: true });
  const seen = await listOf(front);
  await front.stop();
  front = await startDaemon({ dataDir, savePath: root, args: engine.flags });
  t.same(seen, await listOf(front), 'as the engine has it');
  t.ok(seen.length > 1);
});
