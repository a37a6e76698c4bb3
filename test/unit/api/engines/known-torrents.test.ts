// When what is known of the torrents of each engine is kept for the next start.
import t from 'tap';
import { KnownTorrents, type KnownTorrentsStore } from '../../../../api/engines/known-torrents.js';
import type { KnownTorrent } from '../../../../storage/known-torrents.js';
import { factsOf } from '../../../support/facts-of.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const MINUTE_MS = 60_000;
const known: KnownTorrent = { facts: factsOf(), row: new Uint8Array() };

function scene() {
  const clock = new VirtualClock();
  const [written, logged]: [string[], string[]] = [[], []];
  const engines = ['a', 'b'].map((name) => ({ name, isLoaded: true, isAway: false, torrents: () => [known] }));
  const store: KnownTorrentsStore & { isFull: boolean } = {
    isFull: false,
    write(engine, torrents) {
      if (this.isFull) return Promise.reject(new Error('no space left'));
      written.push(`${engine}: ${[...torrents].length}`);
      return Promise.resolve();
    },
    async *read() {
      yield [known];
      throw new Error('it has no end');
    },
  };
  const log = { warn: (message: string) => void logged.push(message) };
  return { clock, written, logged, engines, store, keeper: new KnownTorrents({ engines, store, clock, log }) };
}

void t.test(
  'what is new is kept now and then while an engine is there, soon when it is gone, and in the end',
  async (t) => {
    const { clock, written, engines, keeper } = scene();
    keeper.note(0);
    await clock.advance(9 * MINUTE_MS);
    t.same(written, []);
    await clock.advance(MINUTE_MS);
    t.same(written, ['a: 1']);
    await clock.advance(60 * MINUTE_MS);
    t.same(written, ['a: 1'], 'nothing was heard since');
    keeper.note(1);
    engines[1]!.isAway = true;
    await clock.advance(10_000);
    t.same(written, ['a: 1', 'b: 1']);
    await clock.advance(60 * MINUTE_MS);
    t.same(written, ['a: 1', 'b: 1']);
    keeper.note(0);
    await keeper.close();
    t.same(written, ['a: 1', 'b: 1', 'a: 1']);
  },
);

void t.test('half of what an engine has is not kept in place of all', async (t) => {
  const { clock, written, engines, keeper } = scene();
  engines[0]!.isLoaded = false;
  keeper.note(0);
  await clock.advance(20 * MINUTE_MS);
  t.same(written, []);
  engines[0]!.isLoaded = true;
  await clock.advance(10_000);
  t.same(written, ['a: 1']);
  await keeper.close();
});

void t.test('a disk that is full holds nothing up, and is tried again', async (t) => {
  const { clock, written, logged, store, keeper } = scene();
  store.isFull = true;
  keeper.note(0);
  await clock.advance(10 * MINUTE_MS);
  t.same([written, logged.length], [[], 1]);
  store.isFull = false;
  await clock.advance(10 * MINUTE_MS);
  t.same(written, ['a: 1']);
  await keeper.close();
});

void t.test('of what cannot be read to its end, the rest is left out', async (t) => {
  const { keeper, logged } = scene();
  const read: KnownTorrent[] = [];
  for await (const chunk of keeper.read(1)) read.push(...chunk);
  t.same([read, logged.length], [[known], 1]);
  await keeper.close();
});
