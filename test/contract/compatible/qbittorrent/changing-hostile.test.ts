// Fields of changes by qBittorrent's interface that say nothing sensible: each is refused by a sentence or taken for what it can be,
// never by a fault; and an engine that is away is told as that.
import t from 'tap';
import { change, OWN, setCompatibleScene } from '../../../support/compatible-scene.js';
import { waitUntil } from '../../../support/peers/wait-until.js';
import { CHANGES } from './change-samples.js';

/** Done or refused, and never a reason to sign in. */
const SAID = new Set([200, 400, 404, 409]);
/** Nothing that was sent is repeated at length. */
const MAX_SENTENCE = 1_000;
const TIMEOUT_MS = 60_000;
const STRANGE = [
  '',
  ' ',
  'null',
  '[object Object]',
  '__proto__',
  '-1',
  '-9007199254740993',
  '1e308',
  'NaN',
  '\u0000',
  '\ud800',
  '../../../etc/passwd',
  '|||',
  '\n\n',
  ',,,',
  'x'.repeat(100_000),
];

void t.test('strange values of every field', async (t) => {
  const scene = await setCompatibleScene(t);
  for (const [path, { fields }] of CHANGES) {
    if (path === 'torrents/delete') continue;
    for (const field of Object.keys(fields(OWN))) {
      const ask = (value: string) => change(scene, scene.ann, path, { ...fields(OWN), [field]: value });
      const answers = await Promise.all(STRANGE.map(ask));
      const unfit = answers.filter(({ status, text }) => !SAID.has(status) || text.length >= MAX_SENTENCE);
      t.same(
        unfit.map(({ status, text }) => [status, text]),
        [],
        `${path}: ${field}`,
      );
    }
  }
  t.ok(scene.harness.engine.ids.includes(OWN));
});

void t.test('while the engine is away nothing is said to be done', async (t) => {
  const scene = await setCompatibleScene(t);
  const stop = () => change(scene, scene.ann, 'torrents/stop', { hashes: OWN });
  let release = (): void => undefined;
  scene.harness.engine.startHeldBy = new Promise((resolve) => (release = resolve));
  scene.harness.transport().kill('test');
  t.equal((await stop()).status, 503);
  release();
  await waitUntil('the engine', TIMEOUT_MS, async () => (await stop()).status === 200 || undefined);
});
