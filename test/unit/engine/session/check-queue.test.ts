// Who is hashed when: one on each device, two in all, what is waited for first; accounts in turn, and nobody for long
// while others wait.
import t from 'tap';
import { parseAccountId } from '../../../../shared-protocol/ids.js';
import { CheckQueue } from '../../../../engine/session/check-queue.js';
import type { CheckedTorrent, HashingTurn } from '../../../../engine/torrent/session-interface.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

/** More than a turn. */
const GIB = 2 ** 30;

const OWN = { ownerId: parseAccountId(1), savePath: '/downloads' };

class Scene {
  readonly begun: string[] = [];
  readonly clock = new VirtualClock();
  readonly #ends = new Map<string, () => void>();
  readonly #devices = new Map<CheckedTorrent, number>();
  readonly queue = new CheckQueue(this.clock, (torrent) => this.#devices.get(torrent) ?? 0);

  torrent(name: string, device: number): CheckedTorrent {
    const run = (kind: string) => (): Promise<void> => {
      this.begun.push(`${kind} ${name}`);
      return new Promise((resolve) => this.#ends.set(name, resolve));
    };
    const torrent = { ...OWN, runCheck: run('check'), runAudit: run('audit') };
    this.#devices.set(torrent, device);
    return torrent;
  }

  /** Each GiB of it is told of as `name1`, `name2`, ... */
  sized(name: string, account: number, gib: number, device = 1): CheckedTorrent {
    const run = async (turn: HashingTurn): Promise<void> => {
      for (let done = 1; done <= gib; done++) {
        this.begun.push(`${name}${done}`);
        await new Promise((resolve) => setImmediate(resolve));
        turn.spend(GIB);
        if (done < gib && turn.isOver) await turn.pass();
      }
      this.#ended.set(name, true);
    };
    const torrent = { ...OWN, ownerId: parseAccountId(account), runCheck: run, runAudit: run };
    this.#devices.set(torrent, device);
    this.#ended.set(name, false);
    return torrent;
  }

  readonly #ended = new Map<string, boolean>();

  async untilDone(): Promise<string> {
    while ([...this.#ended.values()].includes(false)) await new Promise((resolve) => setImmediate(resolve));
    return this.begun.join(' ');
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

void t.test('one on each device, two in all; audits when nobody waits', async (t) => {
  const scene = new Scene();
  const [a, b, c, d, e] = [
    scene.torrent('a', 1),
    scene.torrent('b', 1),
    scene.torrent('c', 2),
    scene.torrent('d', 3),
    scene.torrent('e', 1),
  ];
  scene.queue.addAudit(e);
  t.same(scene.begun, ['audit e']);
  for (const torrent of [a, b, c, d]) scene.queue.add(torrent);
  scene.queue.addAudit(e);
  t.same(scene.begun, ['audit e', 'check c']);
  await scene.end('c');
  t.same(scene.begun.slice(2), ['check d']);
  await scene.end('e');
  t.same(scene.begun.slice(3), ['check a'], 'before the audit that waited longer');
  scene.queue.remove(b);
  await scene.end('a');
  t.same(scene.begun.slice(4), ['audit e']);
  await scene.end('e');
  await scene.end('d');
});

void t.test('closing waits for what runs, and begins nothing', async (t) => {
  const scene = new Scene();
  scene.queue.add(scene.torrent('a', 1));
  scene.queue.add(scene.torrent('b', 1));
  let isClosed = false;
  const closing = scene.queue.close().then(() => (isClosed = true));
  await new Promise((resolve) => setImmediate(resolve));
  t.notOk(isClosed);
  await scene.end('a');
  await closing;
  t.same(scene.begun, ['check a']);
});

void t.test('a long check gives way to another account, and goes on where it was', async (t) => {
  const scene = new Scene();
  scene.queue.add(scene.sized('a', 2, 5));
  for (const name of ['b', 'c']) scene.queue.add(scene.sized(name, 3, 1));
  t.equal(await scene.untilDone(), 'a1 b1 a2 c1 a3 a4 a5');
});

void t.test('accounts come in turn, whatever the number and size of what they have', async (t) => {
  const scene = new Scene();
  for (let i = 0; i < 50; i++) scene.queue.add(scene.sized(`a${i}:`, 2, 2));
  scene.queue.add(scene.sized('b', 3, 3));
  const order = (await scene.untilDone()).split(' ');
  t.ok(order.indexOf('b3') <= 6, order.slice(0, 8).join(' '));
});

void t.test(
  'an account that has others checked on two devices does not keep a third account from another',
  async (t) => {
    const scene = new Scene();
    for (let i = 0; i < 20; i++) scene.queue.add(scene.sized(`a${i}:`, 2, 4, 1 + (i % 2)));
    scene.queue.add(scene.sized('b', 3, 1, 3));
    const order = (await scene.untilDone()).split(' ');
    t.ok(order.indexOf('b1') <= 4, order.slice(0, 8).join(' '));
  },
);

void t.test('of one account: what is short does not wait for what is long, and four are begun at most', async (t) => {
  const scene = new Scene();
  for (const name of 'abcdefg') scene.queue.add(scene.sized(name, 2, 3));
  t.equal(await scene.untilDone(), 'a1 b1 c1 d1 d2 d3 e1 e2 e3 f1 f2 f3 g1 g2 g3 a2 a3 b2 b3 c2 c3');
});

void t.test('a turn of little work ends by time', async (t) => {
  const scene = new Scene();
  const turns: HashingTurn[] = [];
  const run = (turn: HashingTurn): Promise<void> => (turns.push(turn), new Promise(() => {}));
  scene.queue.add({ ...OWN, ownerId: parseAccountId(2), runCheck: run, runAudit: run });
  await scene.clock.advance(10_000);
  t.notOk(turns[0]?.isOver, 'nobody waits');
  scene.queue.add(scene.sized('b', 3, 1, 0));
  t.ok(turns[0]?.isOver);
  void turns[0]?.pass();
  t.equal(await scene.untilDone(), 'b1');
});

void t.test('what waits for another turn ends when it is removed, and when everything closes', async (t) => {
  const scene = new Scene();
  const parked: string[] = [];
  const torrents = ['a', 'b'].map((name, index) => {
    const run = async (turn: HashingTurn): Promise<void> => {
      turn.spend(GIB);
      await turn.pass();
      parked.push(name);
    };
    return { ...OWN, ownerId: parseAccountId(2 + index), runCheck: run, runAudit: run };
  });
  scene.queue.add(scene.torrent('busy', 0));
  for (const torrent of torrents) scene.queue.add(torrent);
  scene.queue.add(scene.torrent('next', 0));
  await scene.end('busy');
  t.same(scene.begun, ['check busy', 'check next'], 'it had the turn that both gave up');
  scene.queue.remove(torrents[0]!);
  await new Promise((resolve) => setImmediate(resolve));
  t.same(parked, ['a']);
  const closing = scene.queue.close();
  await scene.end('next');
  await closing;
  t.same(parked, ['a', 'b']);
});
