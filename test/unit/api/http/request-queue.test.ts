// Whose request is answered when, on an event loop whose turns the test takes.
import t from 'tap';
import { RequestQueue } from '../../../../api/http/request-queue.js';
import { parseAccountId } from '../../../../shared-protocol/ids.js';

const MIB = 1024 * 1024;
const [ANN, BOB] = [parseAccountId(2), parseAccountId(3)];

class Loop {
  readonly begun: string[] = [];
  #work: (() => void)[] = [];
  readonly queue = new RequestQueue((work) => void this.#work.push(work));
  readonly #ends = new Map<string, () => void>();

  /** One that is answered at once, or when it is told to. */
  ask(name: string, account = BOB, isSlow = false, bodyBytes = 0): Promise<void> {
    const answer = async (): Promise<void> => {
      this.begun.push(name);
      if (isSlow) await new Promise<void>((resolve) => this.#ends.set(name, resolve));
    };
    return this.queue.run(account, answer, bodyBytes);
  }

  end(name: string): void {
    this.#ends.get(name)?.();
  }

  /** Those that began in this turn. */
  async turn(): Promise<readonly string[]> {
    await new Promise((resolve) => setImmediate(resolve));
    const before = this.begun.length;
    for (const work of this.#work.splice(0)) work();
    await new Promise((resolve) => setImmediate(resolve));
    return this.begun.slice(before);
  }
}

void t.test('of an account six are answered in a turn of the loop, however many are asked', async (t) => {
  const loop = new Loop();
  const asked = Array.from({ length: 100 }, (_, i) => loop.ask(`bob ${i}`));
  await loop.turn();
  t.ok(loop.begun.length <= 8);
  const begun = [loop.begun.length];
  while (loop.begun.length < 100) begun.push((await loop.turn()).length);
  t.ok(Math.max(...begun.slice(1)) <= 6, begun.join());
  t.same(
    loop.begun,
    Array.from({ length: 100 }, (_, i) => `bob ${i}`),
    'in their order',
  );
  await Promise.all(asked);
});

void t.test('bodies that wait for answers that are slow are bounded, those of an account by themselves', async (t) => {
  const loop = new Loop();
  const slow = Array.from({ length: 6 }, (_, i) => loop.ask(`slow ${i}`, BOB, true, 20 * MIB));
  const waiting = Array.from({ length: 3 }, (_, i) => loop.ask(`bob ${i}`, BOB, false, 20 * MIB));
  await t.rejects(loop.ask('more', BOB, false, 20 * MIB), { code: 'TOO_MANY_REQUESTS' });
  waiting.push(loop.ask('small', BOB, false, MIB), loop.ask('ann', ANN, false, 20 * MIB));
  for (const i of slow.keys()) loop.end(`slow ${i}`);
  while (loop.begun.length < 11) await loop.turn();
  await Promise.all([...slow, ...waiting]);
  await loop.turn();
  const again = loop.ask('again', BOB, false, 20 * MIB);
  await loop.turn();
  t.ok(loop.begun.includes('again'), 'what has been answered does not count any more');
  await again;
});

void t.test('what somebody else asks is answered at once', async (t) => {
  const loop = new Loop();
  const asked = Array.from({ length: 100 }, (_, i) => loop.ask(`bob ${i}`));
  asked.push(loop.ask('ann', ANN));
  t.same(loop.begun.slice(-1), ['ann']);
  t.equal(loop.begun.length, 7);
  while (loop.begun.length < 101) await loop.turn();
  await Promise.all(asked);
});

void t.test('with many accounts at it, each has its turn', async (t) => {
  const loop = new Loop();
  const asked = Array.from({ length: 30 }, (_, account) =>
    Array.from({ length: 20 }, (_, i) => loop.ask(`${account}.${i}`, parseAccountId(10 + account))),
  ).flat();
  asked.push(loop.ask('ann', ANN));
  let turns = 0;
  for (; !loop.begun.includes('ann'); turns++) t.ok((await loop.turn()).length <= 8);
  t.ok(turns <= 6, `${turns} turns`);
  while (loop.begun.length < 601) await loop.turn();
  await Promise.all(asked);
});

void t.test('slow ones hold up their own account alone', async (t) => {
  const loop = new Loop();
  const slow = Array.from({ length: 6 }, (_, i) => loop.ask(`slow ${i}`, BOB, true));
  const next = loop.ask('next');
  for (let i = 0; i < 3; i++) await loop.turn();
  t.equal(loop.begun.length, 6);
  await loop.ask('ann', ANN);
  loop.end('slow 3');
  while (!loop.begun.includes('next')) await loop.turn();
  for (let i = 0; i < 6; i++) loop.end(`slow ${i}`);
  await Promise.all([...slow, next]);
});

void t.test('who asks more than 512 things beyond that is refused', async (t) => {
  const loop = new Loop();
  const asked = Array.from({ length: 518 }, () => loop.ask('bob'));
  await t.rejects(loop.ask('bob'), { code: 'TOO_MANY_REQUESTS' });
  while (loop.begun.length < 518) await loop.turn();
  await Promise.all(asked);
  await loop.ask('bob');
});
