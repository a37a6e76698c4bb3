import t, { type Test } from 'tap';
import Dht from 'bittorrent-dht';
import { EventEmitter } from 'node:events';
import { Lookups } from '../../../../engine/dht/lookups.js';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const INFO_HASH = parseInfoHash('5a'.repeat(20));

type Done = (error: Error | null, answers?: number) => void;

/** The package with its network replaced: lookups end when a test says so. */
class ScriptedDht extends Dht {
  readonly calls: string[] = [];
  aborts = 0;
  done: Done = () => {};

  override lookup(_infoHash: Uint8Array, done: Done): () => void {
    this.calls.push('lookup');
    this.done = done;
    return () => this.aborts++;
  }

  override announce(_infoHash: Uint8Array, port: number, done: Done): void {
    this.calls.push(`announce ${port}`);
    this.done = done;
  }
}

function setUp(t: Test) {
  const clock = new VirtualClock();
  const socket = Object.assign(new EventEmitter(), {
    send: () => {},
    bind: () => {},
    address: () => ({ address: '127.0.0.1', port: 1 }),
    close: () => void socket.emit('close'),
  });
  const dht = new ScriptedDht({ bootstrap: false, socket });
  t.teardown(() => new Promise<void>((resolve) => dht.destroy(resolve)));
  const batches: string[][] = [];
  const lookups = new Lookups({
    clock,
    dht,
    isAllowed: ({ host }) => host !== '6.6.6.6',
    onPeers: (_infoHash, peers) => batches.push(peers.map(({ host, port }) => `${host}:${port}`)),
  });
  const finds = (host: string, port = 1): void => {
    dht.emit('peer', { host, port }, Buffer.from(INFO_HASH, 'hex'));
  };
  return { clock, dht, batches, lookups, finds };
}

void t.test('a lookup, then an announce; peers of a reply together, each once', async (t) => {
  const { clock, dht, batches, lookups, finds } = setUp(t);
  const outcome = lookups.run(INFO_HASH, () => 7000);
  for (const host of ['1.1.1.1', '2.2.2.2', '1.1.1.1', '6.6.6.6']) finds(host);
  await clock.settle();
  finds('3.3.3.3');
  finds('2.2.2.2');
  await clock.settle();
  t.same(batches, [['1.1.1.1:1', '2.2.2.2:1'], ['3.3.3.3:1']]);
  dht.done(null, 12);
  await clock.settle();
  t.same(dht.calls, ['lookup', 'announce 7000']);
  dht.done(null, 8);
  t.equal(await outcome, 'answered');
  finds('4.4.4.4');
  await clock.settle();
  t.equal(batches.length, 2, 'over');
  t.equal(clock.pendingTimers, 0);
  t.same(lookups.counters, { lookups: 1, announces: 1, peersFound: 3 });
});

void t.test('no port, or no answers: nothing is announced', async (t) => {
  const { clock, dht, lookups } = setUp(t);
  const first = lookups.run(INFO_HASH, () => 0);
  dht.done(null, 5);
  t.equal(await first, 'answered');
  const second = lookups.run(INFO_HASH, () => 7000);
  dht.done(null, 0);
  t.equal(await second, 'unanswered');
  const third = lookups.run(INFO_HASH, () => 7000);
  dht.done(new Error('All queries failed'));
  t.equal(await third, 'unanswered');
  t.same(dht.calls, ['lookup', 'lookup', 'lookup']);
  t.equal(clock.pendingTimers, 0);
});

void t.test('led on without end: ended after 20 s, not waited for after 30 s', async (t) => {
  const { clock, dht, lookups } = setUp(t);
  let outcome = 'waiting';
  void lookups.run(INFO_HASH, () => 7000).then((ended) => (outcome = ended));
  await clock.advance(20_000);
  t.equal(dht.aborts, 1);
  t.equal(outcome, 'waiting');
  await clock.advance(10_000);
  t.equal(outcome, 'unanswered');
  dht.done(null, 3);
  await clock.settle();
  t.same(dht.calls, ['lookup'], 'its late end means nothing');
});

void t.test('2,000 peers of a lookup at most', async (t) => {
  const { clock, batches, lookups, finds } = setUp(t);
  void lookups.run(INFO_HASH, () => 0);
  for (let i = 0; i < 5_000; i++) finds('1.1.1.1', 1 + i);
  await clock.settle();
  t.equal(batches.flat().length, 2_000);
  lookups.close();
});

void t.test('closing ends what is under way', async (t) => {
  const { clock, lookups } = setUp(t);
  const run = lookups.run(INFO_HASH, () => 7000);
  const walk = lookups.walk(new Uint8Array(20));
  lookups.close();
  t.equal(await run, 'unanswered');
  await walk;
  t.equal(clock.pendingTimers, 0);
});
