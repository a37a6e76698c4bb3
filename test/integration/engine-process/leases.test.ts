// Leases as a front may say them that is no front of ours: without end, of no number, played again. An engine process works under
// none of them, says so in its log, and takes the one that holds.
import t, { type Test } from 'tap';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineByHand } from '../../support/engine-by-hand.js';
import { TEST_ENGINE_OPTIONS } from '../../support/engine-options.js';
import { waitUntil } from '../../support/peers/wait-until.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const TIMEOUT_MS = 60_000;
const FAR = 'x'.repeat(100_000);

async function scene(t: Test) {
  const base = await temporaryDirectory();
  await mkdir(join(base, 'shared'));
  return EngineByHand.start(t, join(base, 'engine'), join(base, 'shared'));
}

void t.test('what is no lease is refused, and nothing begins by it', async (t) => {
  const engine = await scene(t);
  const { front } = engine;
  let isBegun = false;
  const begun = front.client.start(TEST_ENGINE_OPTIONS).then(() => (isBegun = true));
  for (const ttlMs of [NaN, Infinity, -Infinity, -1, 0, 20_001, 1e15, '15000', null, undefined, {}, FAR]) {
    await t.rejects(engine.grant({ ttlMs }), { code: 'ENGINE_FENCED', message: /^lease not taken: ttlMs / });
  }
  for (const epoch of [NaN, Infinity, 0, -1, 1.5, 2 ** 60, '1', null, undefined, FAR]) {
    await t.rejects(engine.grant({ epoch }), { code: 'ENGINE_FENCED', message: /^lease not taken: epoch / });
  }
  for (const asked of [NaN, 0, -1, 1e9, '1', null]) await engine.grant({ asked });
  await engine.question(engine.asked.length + 1);
  t.notOk(isBegun, 'nor by one that it did not ask for');
  await engine.logged(/grantLease.*lease not taken: ttlMs 1000000000000000: .*a front was refused/);
  t.notOk(engine.log().includes(engine.token));
  t.ok(engine.log().length < FAR.length, 'what is logged is cut');
  await engine.grant();
  await begun;
});

void t.test('a grant that is played again holds no longer, and one of before holds nothing', async (t) => {
  const engine = await scene(t);
  await engine.begin(7);
  engine.epoch = null;
  const [first] = engine.asked;
  const held = engine.asked.length;
  const again = (): void => void engine.grant({ asked: first, epoch: 7 }).catch(() => undefined);
  engine.front.onEvent(({ name }) => void (name === 'lease.wanted' && again()));
  await engine.logged(/the lease has run out/);
  t.ok(engine.asked.length > held, 'it was asked, and answered, meanwhile');
  const isBack = () => (engine.front.state === 'running' && engine.asked.length) || undefined;
  const asked = await waitUntil('it is back, as another run', TIMEOUT_MS, isBack);
  let isBegun = false;
  const begun = engine.front.client.start(TEST_ENGINE_OPTIONS).then(() => (isBegun = true));
  await engine.question(asked + 1);
  await engine.grant({ epoch: 6 });
  await engine.question(asked + 2);
  t.notOk(isBegun, 'somebody else had it since');
  await engine.grant({ epoch: 8 });
  await begun;
});
