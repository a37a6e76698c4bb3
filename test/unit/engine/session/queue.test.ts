import t from 'tap';
import { settle } from '../../../support/scripted-peer.js';
import { Queue, type QueuedTorrent } from '../../../../engine/session/queue.js';
import type { QueueLimits } from '../../../../shared-protocol/commands/limits.js';
import type { AccountId } from '../../../../shared-protocol/ids.js';

const ANN = 1 as AccountId;
const BOB = 2 as AccountId;
const START_MS = 1_800_000_000_000;

class Listed implements QueuedTorrent {
  runBy = [ANN];
  lastActivityAt = 0;
  position = -1;
  held = false;
  positionsTold = 0;
  heldTold = 0;
  readonly stored: number[] = [];
  /** Keys are stored once it resolves. */
  storing: Promise<void> = Promise.resolve();

  constructor(readonly name: string) {}

  readonly edits = {
    setQueueKey: async (key: number): Promise<void> => {
      await this.storing;
      this.stored.push(key);
    },
  };

  setQueuePosition(position: number): void {
    this.position = position;
    this.positionsTold++;
  }

  setQueued(held: boolean): void {
    this.held = held;
    this.heldTold++;
  }
}

function queueOf(names: string, limits: QueueLimits = { maxActiveDownloads: 0, maxActiveSeeds: 0 }) {
  let unixMs = START_MS;
  const queue = new Queue<Listed>(
    limits,
    () => unixMs,
    (work) => work(),
  );
  const listed = new Map<string, Listed>();
  const add = (name: string): Listed => addWith(name, queue.nextKey());
  const addWith = (name: string, key: number): Listed => {
    const torrent = new Listed(name);
    listed.set(name, torrent);
    queue.add(torrent, key);
    torrent.held = queue.takePlace(torrent, 'download');
    return torrent;
  };
  for (const name of names) add(name);
  /** By position; small letters are held back. Positions must be dense. */
  const show = (): string => {
    const sorted = [...listed.values()].sort((a, b) => a.position - b.position);
    if (sorted.some(({ position }, i) => position !== i)) throw new Error('positions are not dense');
    return sorted.map(({ name, held }) => (held ? name.toLowerCase() : name)).join('');
  };
  const remove = (name: string): void => {
    queue.remove(listed.get(name)!);
    listed.delete(name);
  };
  /** Looks at those that have stalled after so many minutes, in which the named ones move something at last. */
  const pass = (minutes: number, moving = ''): string => {
    unixMs += minutes * 60_000;
    for (const name of moving) listed.get(name)!.lastActivityAt = unixMs / 1_000;
    queue.lookAtStalled();
    return show();
  };
  return { queue, add, addWith, show, remove, pass, of: (name: string) => listed.get(name)! };
}

void t.test('torrents that come and go together tell those behind them once', async (t) => {
  const queue = new Queue<Listed>({ maxActiveDownloads: 0, maxActiveSeeds: 0 }, () => START_MS);
  const torrents = Array.from({ length: 2_000 }, (_, n) => new Listed(String(n)));
  for (const torrent of torrents) queue.add(torrent, queue.nextKey());
  t.equal(torrents.at(-1)?.position, 1_999, 'each knows its own at once');
  const told = (): number => torrents.reduce((sum, { positionsTold }) => sum + positionsTold, 0);
  await settle();
  t.equal(told(), 2_000);
  for (const torrent of torrents.splice(0, 1_000)) queue.remove(torrent);
  for (const name of ['first', 'before it']) {
    const torrent = new Listed(name);
    queue.add(torrent, queue.firstKey());
    torrents.unshift(torrent);
  }
  await settle();
  t.same(
    torrents.map(({ position }) => position),
    torrents.map((_, at) => at),
  );
  t.ok(told() <= 1_000 + 1_002 + 2, `${told()}`);
});

void t.test('moves: clamped, the others close up, one row is written', async (t) => {
  const cases = [
    { move: 'D', to: 0, expected: 'DABC' },
    { move: 'A', to: 2, expected: 'BCAD' },
    { move: 'A', to: 99, expected: 'BCDA' },
    { move: 'D', to: -7, expected: 'DABC' },
    { move: 'B', to: 1, expected: 'ABCD' },
  ];
  for (const { move, to, expected } of cases) {
    const { queue, show, of } = queueOf('ABCD');
    await queue.move(of(move), to);
    t.equal(show(), expected, `${move} to ${to}`);
    t.equal(of(move).stored.length, expected === 'ABCD' ? 0 : 1);
    t.equal(
      [...'ABCD'].reduce((sum, name) => sum + of(name).stored.length, 0),
      of(move).stored.length,
    );
  }
});

void t.test('who is moved ahead runs, who falls behind waits', async (t) => {
  const { queue, show, of } = queueOf('ABCD', { maxActiveDownloads: 2, maxActiveSeeds: 0 });
  t.equal(show(), 'ABcd');
  await queue.move(of('D'), 0);
  t.equal(show(), 'DAbc');
  await queue.move(of('D'), 3);
  t.equal(show(), 'ABcd');
  await queue.move(of('A'), 1);
  t.equal(show(), 'BAcd');
});

void t.test('several are moved at once: who comes to stand ahead runs, and nothing else is written', async (t) => {
  const { queue, show, of } = queueOf('ABCDE', { maxActiveDownloads: 2, maxActiveSeeds: 0 });
  const never = () => false;
  await queue.moveTogether([of('E'), of('C')], 'top', never);
  t.equal(show(), 'CEabd');
  await queue.moveTogether([of('C'), of('B')], 'down', never);
  t.equal(show(), 'ECadb');
  await queue.moveTogether([of('E'), of('C')], 'bottom', (torrent) => torrent === of('E'));
  t.equal(show(), 'EAdbc', 'one of them may not fall behind');
  t.same([of('A').stored.length, of('D').stored.length], [0, 0]);
  t.ok(
    [...'ABCDE'].every((name) => of(name).held === show().indexOf(name) < 0),
    'each knows whether it waits',
  );
});

void t.test('one is removed and one is added while several are moved', async (t) => {
  const { queue, show, of, add, remove } = queueOf('ABCD', { maxActiveDownloads: 2, maxActiveSeeds: 0 });
  let release: () => void = () => undefined;
  of('A').storing = new Promise((resolve) => (release = resolve));
  const moving = queue.moveTogether([of('A'), of('B')], 'bottom', () => false);
  await settle();
  remove('B');
  add('E');
  release();
  await moving;
  t.equal(show(), 'CDae', 'what was added meanwhile is behind');
});

void t.test('thousands are stored some hundred at a time, and what is removed meanwhile is not', async (t) => {
  const { queue, add, of, remove } = queueOf('');
  const names = Array.from({ length: 2_000 }, (_, number) => `torrent ${number}`);
  for (const name of names) add(name);
  let release: () => void = () => undefined;
  of(names[0]!).storing = new Promise((resolve) => (release = resolve));
  const moving = queue.moveTogether(names.slice(0, -1).map(of), 'bottom', () => false);
  await settle();
  const countStored = () => names.filter((name) => of(name).stored.length > 0).length;
  t.ok(countStored() > 0 && countStored() < 1_000, `${countStored()} so far`);
  const removed = of(names[1_500]!);
  remove(removed.name);
  release();
  await moving;
  t.same(removed.stored, []);
  t.same([of(names.at(-1)!).position, of(names[0]!).position, of(names.at(-2)!).position], [0, 1, 1_998]);
});

void t.test('who asks for one move does not wait for all of who asks for many', async (t) => {
  const { queue, show, of } = queueOf('ABCDE');
  const many = Array.from({ length: 50 }, (_, i) => queue.move(of('A'), i % 2 === 0 ? 4 : 0, BOB));
  let others = 0;
  for (const move of many) void move.then(() => others++);
  await queue.move(of('E'), 0, ANN);
  t.ok(others <= 2, `${others} of 50 came before`);
  await Promise.all(many);
  t.equal(show(), 'AEBCD');
});

void t.test('lanes are apart, and one that leaves its lane makes room', async (t) => {
  const { queue, show, of, remove } = queueOf('ABCD', { maxActiveDownloads: 1, maxActiveSeeds: 1 });
  t.equal(show(), 'Abcd');
  of('A').held = queue.takePlace(of('A'), 'seed');
  t.equal(show(), 'ABcd', 'it seeds, the next one downloads');
  of('B').held = queue.takePlace(of('B'), 'seed');
  t.equal(show(), 'AbCd', 'one seeds');
  t.notOk(queue.takePlace(of('C'), null), 'outside of the lanes nobody waits');
  t.equal(show(), 'AbCD');
  remove('A');
  t.equal(show(), 'BCD');
  t.notOk(queue.takePlace(of('D'), 'download'), 'again the same');
});

void t.test('what one account puts first holds back nobody else', async (t) => {
  const { queue, show, of } = queueOf('ABCD', { maxActiveDownloads: 2, maxActiveSeeds: 0 });
  const isRunBy = (name: string, account: AccountId) => {
    of(name).runBy = [account];
    of(name).held = queue.takePlace(of(name), 'download');
  };
  isRunBy('D', BOB);
  t.equal(show(), 'AbcD', 'a torrent that another runs takes the turns of that one');
  await queue.moveTogether([of('B'), of('C')], 'top', () => false);
  t.equal(show(), 'BcaD');
  isRunBy('B', BOB);
  t.equal(show(), 'BCad', 'of each the first');
  isRunBy('B', ANN);
  isRunBy('D', ANN);
  t.equal(show(), 'BCad', 'of one account those that are first');
});

void t.test('one that has stalled runs on and is not counted, until it moves again', async (t) => {
  const { queue, show, of, pass } = queueOf('ABCD', { maxActiveDownloads: 2, maxActiveSeeds: 0, stalledMinutes: 10 });
  t.equal(pass(9, 'B'), 'ABcd');
  t.equal(pass(1), 'ABCd', 'a has moved nothing for ten minutes');
  t.equal(pass(9), 'ABCD', 'nor has b since');
  t.equal(pass(5, 'D'), 'ABCD', 'c has had its ten minutes as well, of those that it has run');
  t.equal(pass(1, 'BC'), 'ABCd', 'what moves again takes its place in the order');
  await queue.move(of('A'), 3);
  t.equal(show(), 'BCdA', 'a move changes nothing of that');
  of('A').held = queue.takePlace(of('A'), null);
  of('A').held = queue.takePlace(of('A'), 'download');
  t.equal(show(), 'BCda', 'one that begins anew is counted');
  queue.setLimits({ maxActiveDownloads: 2, maxActiveSeeds: 0 });
  t.equal(pass(60), 'BCda', 'all are counted');
  queue.setLimits({ maxActiveDownloads: 2, maxActiveSeeds: 0, stalledMinutes: 10 });
  t.equal(show(), 'BCDA', 'at once');
  queue.setLimits({ maxActiveDownloads: 2, maxActiveSeeds: 0 });
  t.equal(show(), 'BCda', 'and at once no more');
});

void t.test('one that begins to run at the expense of another account has had no time to stall', async (t) => {
  const { queue, show, of, pass } = queueOf('ABC', { maxActiveDownloads: 1, maxActiveSeeds: 0, stalledMinutes: 10 });
  t.equal(pass(9, 'A'), 'Abc');
  queue.setLimits({ maxActiveDownloads: 2, maxActiveSeeds: 0, stalledMinutes: 10 });
  t.equal(pass(9, 'A'), 'ABc');
  of('C').runBy = [BOB];
  of('C').held = queue.takePlace(of('C'), 'download');
  t.equal(show(), 'AbC');
  t.equal(pass(9, 'A'), 'AbC', 'it has waited for longer');
  t.equal(pass(1), 'ABC');
});

void t.test('limits change while it runs', async (t) => {
  const { queue, show } = queueOf('ABC');
  queue.setLimits({ maxActiveDownloads: 1, maxActiveSeeds: 0 });
  t.equal(show(), 'Abc');
  queue.setLimits({ maxActiveDownloads: 2, maxActiveSeeds: 0 });
  t.equal(show(), 'ABc');
  queue.setLimits({ maxActiveDownloads: 0, maxActiveSeeds: 5 });
  t.equal(show(), 'ABC');
});

void t.test('one is moved to the top while another is added there', async (t) => {
  const { queue, show, remove, of, addWith } = queueOf('ABC');
  const key = queue.firstKey();
  await queue.move(of('C'), 0);
  addWith('D', key);
  t.equal(show(), 'CDAB');
  remove('D');
  t.equal(show(), 'CAB', 'each has a place of its own');
});

void t.test('others come and go while a move is stored', async (t) => {
  const { queue, add, show, remove, of } = queueOf('ABCD');
  let stored = (): void => undefined;
  of('A').storing = new Promise((resolve) => (stored = resolve));
  const moving = queue.move(of('A'), 3);
  const after = queue.move(of('D'), 0);
  await settle();
  add('E');
  remove('B');
  t.equal(show(), 'ACDE', 'not before it is stored');
  stored();
  await Promise.all([moving, after]);
  t.equal(show(), 'DCAE');

  of('C').storing = new Promise((resolve) => (stored = resolve));
  const gone = queue.move(of('C'), 0);
  await settle();
  remove('C');
  stored();
  await gone;
  t.equal(show(), 'DAE');
});

void t.test('of ten thousand, only those concerned hear of a change', async (t) => {
  const queue = new Queue<Listed>({ maxActiveDownloads: 5, maxActiveSeeds: 5 }, () => START_MS);
  const torrents = Array.from({ length: 10_000 }, (_, i) => new Listed(String(i)));
  for (const torrent of torrents) {
    queue.add(torrent, queue.nextKey());
    torrent.held = queue.takePlace(torrent, 'download');
  }
  const told = () => torrents.reduce((sum, { positionsTold, heldTold }) => sum + positionsTold + heldTold, 0);
  t.equal(torrents.filter(({ held }) => !held).length, 5);
  const before = told();
  for (const torrent of torrents.slice(0, 1_000)) torrent.held = queue.takePlace(torrent, null);
  t.equal(told() - before, 1_000, 'for each that leaves one starts');
  await queue.move(torrents[5_000]!, 4_990);
  t.equal(told() - before, 1_000 + 11 + 1, 'the eleven that move, and its own state');
});
