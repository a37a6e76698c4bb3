// Rate limits in virtual time: how much goes through, who gets how much of it, and what changes of limits do.
import t from 'tap';
import fc from 'fast-check';
import { RateLimiter, type RateClient, type TorrentLimiter } from '../../../../engine/net/rate-limiter.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const KB = 1024;
const MB = 1024 * KB;
const burst = (limit: number): number => Math.max(16 * KB, limit / 4);

interface Habits {
  /** Bytes of one read. */
  readonly chunk: number;
  /** From being let go to the first bytes, and between reads. 0: all in one go. @default 0 */
  readonly latencyMs?: number;
  /** Bytes it has at all. @default Infinity */
  readonly supply?: number;
  /** Whether `history` is written. @default false */
  readonly recorded?: boolean;
}

/** A peer as both directions use a client: moves a chunk, charges it, asks, and goes on while it may. */
class Mover {
  readonly client: RateClient;
  moved = 0;
  calls = 0;
  /** When how much had been moved; for windows. */
  readonly history: { readonly atMs: number; readonly bytes: number }[] = [];

  constructor(
    private readonly clock: VirtualClock,
    torrent: TorrentLimiter,
    private readonly habits: Habits,
  ) {
    this.client = torrent.client(() => {
      this.calls++;
      this.#go();
    });
  }

  start(): this {
    if (this.client.mayGo()) this.#go();
    return this;
  }

  #go(): void {
    const { latencyMs = 0 } = this.habits;
    if (latencyMs > 0) return void this.clock.after(latencyMs, () => this.#move() && this.#go());
    while (this.#move());
  }

  #move(): boolean {
    const { chunk, supply = Infinity } = this.habits;
    const bytes = Math.min(chunk, supply - this.moved);
    if (bytes <= 0 || !this.client.isLimited) return false;
    this.moved += bytes;
    if (this.habits.recorded) this.history.push({ atMs: this.clock.nowMs(), bytes });
    this.client.charge(bytes);
    return this.client.mayGo();
  }
}

const sum = (movers: readonly Mover[]): number => movers.reduce((total, mover) => total + mover.moved, 0);

void t.test('the average is exact, whatever the limit and the size of reads', async (t) => {
  for (const limit of [10 * KB, 100 * KB, MB, 10 * MB, 100 * MB]) {
    for (const chunk of [17, 1_460, 16 * KB, 256 * KB, 512 * KB]) {
      // Fewer virtual seconds where they would take real ones.
      const seconds = limit / chunk > 500_000 ? 0.5 : 10;
      for (const where of ['global', 'account', 'torrent'] as const) {
        const clock = new VirtualClock();
        const limiter = new RateLimiter(clock);
        const torrent = limiter.torrent();
        const account = limiter.group();
        torrent.join(account);
        ({ global: limiter, account, torrent })[where].setLimit(limit);
        const movers = [1, 2, 3].map(() => new Mover(clock, torrent, { chunk }).start());
        await clock.advance(seconds * 1_000);
        const allowed = limit * seconds;
        const name = `${where} ${limit} B/s in reads of ${chunk} B: ${sum(movers)} of ${allowed}`;
        t.ok(sum(movers) >= allowed * 0.99, `${name}, not less`);
        t.ok(sum(movers) <= allowed * 1.01 + 3 * chunk, `${name}, not more`);
      }
    }
  }
});

void t.test('an overdraft is paid back: over a minute it does not show', async (t) => {
  const clock = new VirtualClock();
  const limiter = new RateLimiter(clock);
  limiter.setLimit(100 * KB);
  const mover = new Mover(clock, limiter.torrent(), { chunk: 512 * KB }).start();
  await clock.advance(600_000);
  t.ok(Math.abs(mover.moved / (60_000 * KB) - 1) < 0.01, `${mover.moved}`);
});

void t.test('no window of a second or more brings more than limit, burst and a read of each', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 10 * KB, max: 2 * MB }),
      fc.array(
        fc.record({
          torrent: fc.nat(2),
          chunk: fc.integer({ min: 500, max: 512 * KB }),
          latencyMs: fc.constantFrom(0, 1, 7, 80),
          startMs: fc.nat(3_000),
          supply: fc.constantFrom(Infinity, 100 * KB),
        }),
        { minLength: 1, maxLength: 8 },
      ),
      fc.constantFrom<'global' | 'account' | 'torrent'>('global', 'account', 'torrent'),
      async (limit, peers, where) => {
        const clock = new VirtualClock();
        const limiter = new RateLimiter(clock);
        const torrents = [0, 1, 2].map(() => limiter.torrent());
        const account = limiter.group();
        for (const torrent of torrents) torrent.join(account);
        if (where === 'global') limiter.setLimit(limit);
        else if (where === 'account') account.setLimit(limit);
        else for (const torrent of torrents) torrent.setLimit(limit);
        const movers = peers.map((peer) => {
          const mover = new Mover(clock, torrents[peer.torrent]!, { ...peer, recorded: true });
          clock.after(peer.startMs, () => mover.start());
          return { mover, ...peer };
        });
        await clock.advance(6_000);
        for (const group of where === 'torrent' ? [0, 1, 2] : [null]) {
          const members = movers.filter(({ torrent }) => group === null || torrent === group);
          const slack = burst(limit) + members.reduce((total, { chunk }) => total + chunk, 0);
          const moves = members.flatMap(({ mover }) => mover.history).sort((a, b) => a.atMs - b.atMs);
          for (const windowMs of [1_000, 2_500]) {
            for (let from = 0, to = 0, inside = 0; from < moves.length; inside -= moves[from++]!.bytes) {
              while (to < moves.length && moves[to]!.atMs < moves[from]!.atMs + windowMs) inside += moves[to++]!.bytes;
              if (inside > (limit * windowMs) / 1_000 + slack) {
                throw new Error(`${inside} bytes in ${windowMs} ms from ${moves[from]!.atMs}`);
              }
            }
          }
        }
        // Quick enough to use the whole limit alone.
        const quick = movers.filter((m) => m.supply === Infinity && m.latencyMs < 50 && m.chunk >= 16 * KB);
        if (where === 'torrent' || quick.length === 0) return true;
        const hungryMs = 6_000 - Math.min(...quick.map(({ startMs }) => startMs));
        return sum(movers.map(({ mover }) => mover)) >= (0.95 * limit * hungryMs) / 1_000;
      },
    ),
    { numRuns: 60 },
  );
});

void t.test('hungry clients get the same, whatever the size of their reads and the way they take', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          chunk: fc.constantFrom(97, 1_460, 4_000, 16 * KB, 64 * KB, 256 * KB),
          latencyMs: fc.constantFrom(0, 0, 1, 3),
        }),
        { minLength: 2, maxLength: 6 },
      ),
      fc.boolean(),
      async (peers, apart) => {
        const clock = new VirtualClock();
        const limiter = new RateLimiter(clock);
        const limit = 256 * KB * peers.length;
        limiter.setLimit(limit);
        const one = limiter.torrent();
        const movers = peers.map(({ chunk, latencyMs }) => {
          // Hungry means: alone it could use all of the limit (1.5 MB/s) several times over, so 6 MB/s.
          const habits = { latencyMs, chunk: Math.max(chunk, 6_000 * latencyMs) };
          return new Mover(clock, apart ? limiter.torrent() : one, habits).start();
        });
        const seconds = 40;
        await clock.advance(seconds * 1_000);
        const fair = (limit * seconds) / movers.length;
        const shares = movers.map((mover) => mover.moved / fair);
        if (!shares.every((share) => Math.abs(share - 1) < 0.1)) throw new Error(`shares ${shares.join(', ')}`);
      },
    ),
    { numRuns: 40 },
  );
});

void t.test('torrents share the global limit, however many clients they have', async (t) => {
  for (const latencyMs of [0, 1]) {
    const clock = new VirtualClock();
    const limiter = new RateLimiter(clock);
    limiter.setLimit(2 * MB);
    const [few, many] = [limiter.torrent(), limiter.torrent()];
    const single = new Mover(clock, few, { chunk: 16 * KB, latencyMs }).start();
    const crowd = Array.from({ length: 60 }, () => new Mover(clock, many, { chunk: 16 * KB, latencyMs }).start());
    await clock.advance(20_000);
    const share = single.moved / (20 * MB);
    t.ok(Math.abs(share - 1) < 0.1, `latency ${latencyMs} ms: ${share} of its half`);
    t.ok(Math.abs(sum(crowd) / (20 * MB) - 1) < 0.1, 'the other half');
  }
});

void t.test('what one torrent may not or does not use the others get', async (t) => {
  const clock = new VirtualClock();
  const limiter = new RateLimiter(clock);
  limiter.setLimit(10 * MB);
  const [limited, idle, hungry, hungrier] = Array.from({ length: 4 }, () => limiter.torrent());
  limited!.setLimit(MB);
  const a = new Mover(clock, limited!, { chunk: 16 * KB }).start();
  const b = new Mover(clock, idle!, { chunk: 300, latencyMs: 20 }).start();
  const c = new Mover(clock, hungry!, { chunk: 16 * KB }).start();
  const d = [1, 2].map(() => new Mover(clock, hungrier!, { chunk: 64 * KB }).start());
  await clock.advance(20_000);
  t.ok(Math.abs(a.moved / (20 * MB) - 1) < 0.02, `limited: ${a.moved}`);
  t.ok(b.moved >= 300 * 500, `a trickle is not held up much: ${b.moved}`);
  t.ok(Math.abs(c.moved / (90 * MB) - 1) < 0.05, `half of the rest: ${c.moved}`);
  t.ok(Math.abs(sum(d) / (90 * MB) - 1) < 0.05, `the other half: ${sum(d)}`);
  t.ok(a.moved + b.moved + c.moved + sum(d) >= 200 * MB * 0.99, 'nothing is wasted');
});

void t.test('many clients that hardly move anything do not hold up one that does', async (t) => {
  const clock = new VirtualClock();
  const limiter = new RateLimiter(clock);
  limiter.setLimit(MB);
  const torrent = limiter.torrent();
  const trickles = Array.from({ length: 100 }, () => new Mover(clock, torrent, { chunk: 17, latencyMs: 60 }).start());
  const hungry = new Mover(clock, torrent, { chunk: 64 * KB }).start();
  await clock.advance(10_000);
  t.ok(sum(trickles) + hungry.moved >= 10 * MB * 0.95, `${hungry.moved} and ${sum(trickles)}`);
});

void t.test('a busy limit of one torrent does not hold up another', async (t) => {
  const clock = new VirtualClock();
  const limiter = new RateLimiter(clock);
  const [slow, fast] = [limiter.torrent(), limiter.torrent()];
  slow.setLimit(10 * KB);
  fast.setLimit(100 * MB);
  new Mover(clock, slow, { chunk: 16 * KB }).start();
  // 64 KiB each 2 ms is 32 MB/s: below its limit, so it should never wait for long.
  const quick = new Mover(clock, fast, { chunk: 64 * KB, latencyMs: 2 }).start();
  await clock.advance(2_000);
  t.ok(quick.moved > 0.95 * 62 * MB, `${quick.moved}`);
});

void t.test('a thousand clients: each is served in its turn', async (t) => {
  const clock = new VirtualClock();
  const limiter = new RateLimiter(clock);
  limiter.setLimit(16 * MB);
  const torrents = Array.from({ length: 10 }, () => limiter.torrent());
  const movers = Array.from({ length: 1_000 }, (_, at) =>
    new Mover(clock, torrents[at % 10]!, { chunk: 1_000 * (1 + (at % 16)) }).start(),
  );
  await clock.advance(10_000);
  const fair = (160 * MB) / 1_000;
  const least = Math.min(...movers.map((mover) => mover.moved));
  const most = Math.max(...movers.map((mover) => mover.moved));
  t.ok(least > 0.75 * fair, `least ${least} of ${fair}`);
  t.ok(most < 1.25 * fair, `most ${most} of ${fair}`);
});

void t.test('without limits nothing is counted and no timer runs', async (t) => {
  const clock = new VirtualClock();
  const limiter = new RateLimiter(clock);
  const client = limiter.torrent().client(() => t.fail('nobody waits'));
  t.notOk(client.isLimited);
  for (let i = 0; i < 10; i++) {
    client.charge(MB);
    t.ok(client.mayGo());
  }
  t.equal(client.quantum(), Infinity);
  t.equal(clock.pendingTimers, 0);
});

void t.test('one timer while anybody waits, none otherwise', async (t) => {
  const clock = new VirtualClock();
  const limiter = new RateLimiter(clock);
  limiter.setLimit(MB);
  const torrents = [limiter.torrent(), limiter.torrent()];
  const movers = [0, 1, 0, 1, 0].map((at) =>
    new Mover(clock, torrents[at]!, { chunk: 16 * KB, supply: 200 * KB }).start(),
  );
  t.equal(clock.pendingTimers, 1);
  await clock.advance(300);
  t.equal(clock.pendingTimers, 1);
  await clock.advance(3_000);
  t.equal(sum(movers), 1_000 * KB);
  t.equal(clock.pendingTimers, 0);
});

void t.test('saved-up credit is a quarter of a second or 16 KiB', async (t) => {
  for (const { limit, saved } of [
    { limit: 10 * MB, saved: 2.5 * MB },
    { limit: 20 * KB, saved: 16 * KB },
  ]) {
    const clock = new VirtualClock();
    const limiter = new RateLimiter(clock);
    limiter.setLimit(limit);
    await clock.advance(60_000);
    const mover = new Mover(clock, limiter.torrent(), { chunk: 512 }).start();
    t.ok(mover.moved >= saved && mover.moved <= saved + 512, `${mover.moved} at once`);
  }
});

void t.test('how much to move at once stays within what there is', async (t) => {
  const clock = new VirtualClock();
  const limiter = new RateLimiter(clock);
  limiter.setLimit(64 * KB);
  await clock.advance(10_000);
  const torrent = limiter.torrent();
  const [first, second] = [torrent.client(() => undefined), torrent.client(() => undefined)];
  t.ok(first.mayGo());
  t.equal(first.quantum(), 16 * KB);
  t.notOk(second.mayGo(), 'all of it is promised');
  t.ok(first.mayGo(), 'asking again changes nothing');
  await clock.advance(50);
  t.equal(first.quantum(), 0, 'promises unused for a step are taken back');
  t.ok(second.quantum() > 0);
});

void t.test('onReady comes once for each refusal', async (t) => {
  const clock = new VirtualClock();
  const limiter = new RateLimiter(clock);
  limiter.setLimit(100 * KB);
  let calls = 0;
  const client = limiter.torrent().client(() => calls++);
  client.charge(100 * KB);
  t.notOk(client.mayGo());
  t.notOk(client.mayGo());
  t.equal(calls, 0);
  await clock.advance(950);
  t.equal(calls, 0, 'the debt is paid back first');
  await clock.advance(5_000);
  t.equal(calls, 1);
  t.equal(clock.pendingTimers, 0);
});

void t.test('changes of limits', async (t) => {
  const setUp = (): { clock: VirtualClock; limiter: RateLimiter; torrent: TorrentLimiter; mover: Mover } => {
    const clock = new VirtualClock();
    const limiter = new RateLimiter(clock);
    const torrent = limiter.torrent();
    limiter.setLimit(MB);
    return { clock, limiter, torrent, mover: new Mover(clock, torrent, { chunk: 4 * KB }).start() };
  };
  /** Bytes moved in `ms` from now. */
  const rate = async (clock: VirtualClock, mover: Mover, ms: number): Promise<number> => {
    const before = mover.moved;
    await clock.advance(ms);
    return mover.moved - before;
  };

  await t.test('lowered', async (t) => {
    const { clock, limiter, mover } = setUp();
    await clock.advance(2_000);
    limiter.setLimit(50 * KB);
    const moved = await rate(clock, mover, 4_000);
    t.ok(moved >= 196 * KB && moved <= 220 * KB, `${moved}`);
  });
  await t.test('lowered, with what was saved up and promised', async (t) => {
    const { clock, limiter, torrent } = setUp();
    const sleeper = torrent.client(() => undefined);
    await clock.advance(2_000);
    sleeper.mayGo();
    limiter.setLimit(50 * KB);
    t.equal(sleeper.quantum(), 0);
  });
  await t.test('lowered or raised while in debt: paid back in the same time, or in less', async (t) => {
    for (const { limit, waitsMs } of [
      { limit: 10 * KB, waitsMs: 1_000 },
      { limit: 4 * MB, waitsMs: 250 },
    ]) {
      const clock = new VirtualClock();
      const limiter = new RateLimiter(clock);
      limiter.setLimit(MB);
      let readyAtMs = 0;
      const client = limiter.torrent().client(() => (readyAtMs = clock.nowMs()));
      client.charge(MB);
      t.notOk(client.mayGo());
      limiter.setLimit(limit);
      await clock.advance(5_000);
      t.ok(readyAtMs >= waitsMs && readyAtMs <= waitsMs + 200, `${limit} B/s: after ${readyAtMs} ms`);
    }
  });
  await t.test('raised', async (t) => {
    const { clock, limiter, mover } = setUp();
    await clock.advance(1_000);
    limiter.setLimit(4 * MB);
    const moved = await rate(clock, mover, 2_000);
    t.ok(Math.abs(moved / (8 * MB) - 1) < 0.02, `${moved}`);
  });
  await t.test('set to the same: nothing is gained', async (t) => {
    const { clock, limiter, mover } = setUp();
    for (let i = 0; i < 100; i++) {
      await clock.advance(25);
      limiter.setLimit(MB);
    }
    t.ok(mover.moved <= 2.5 * MB + 4 * KB, `${mover.moved}`);
  });
  await t.test('taken away and given again: nothing is gained', async (t) => {
    const clock = new VirtualClock();
    const limiter = new RateLimiter(clock);
    const mover = new Mover(clock, limiter.torrent(), { chunk: 1 * KB });
    for (let i = 0; i < 100; i++) {
      limiter.setLimit(0);
      limiter.setLimit(MB);
      if (i === 0) mover.start();
      await clock.advance(50);
    }
    t.ok(mover.moved <= 5 * MB + KB, `${mover.moved}`);
  });
  await t.test('taken away: all who wait are called at once', async (t) => {
    const clock = new VirtualClock();
    const limiter = new RateLimiter(clock);
    limiter.setLimit(KB);
    const calls: number[] = [];
    const torrents = [limiter.torrent(), limiter.torrent()];
    const clients = Array.from({ length: 10 }, (_, at) => torrents[at % 2]!.client(() => calls.push(at)));
    for (const client of clients) {
      client.charge(100 * KB);
      t.notOk(client.mayGo());
    }
    limiter.setLimit(0);
    t.same(
      calls.sort((a, b) => a - b),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
    t.equal(clock.pendingTimers, 0);
  });
  await t.test('the global limit is taken away from a torrent that has its own', async (t) => {
    const { clock, limiter, torrent, mover } = setUp();
    torrent.setLimit(100 * KB);
    await clock.advance(1_000);
    limiter.setLimit(0);
    const moved = await rate(clock, mover, 10_000);
    t.ok(Math.abs(moved / (1_000 * KB) - 1) < 0.02, `${moved}`);
  });
  await t.test('a torrent long held back by its own limit has nothing to make up for', async (t) => {
    const { clock, torrent, limiter, mover } = setUp();
    torrent.setLimit(10 * KB);
    const other = new Mover(clock, limiter.torrent(), { chunk: 4 * KB }).start();
    await clock.advance(60_000);
    torrent.setLimit(0);
    const before = other.moved;
    const moved = await rate(clock, mover, 4_000);
    t.ok(Math.abs(moved / (2 * MB) - 1) < 0.1, `${moved}`);
    t.ok(Math.abs((other.moved - before) / (2 * MB) - 1) < 0.1, `${other.moved - before}`);
  });
  await t.test('who comes late or was away has nothing to make up for either', async (t) => {
    const { clock, torrent, mover } = setUp();
    await clock.advance(60_000);
    const late = new Mover(clock, torrent, { chunk: 4 * KB }).start();
    const moved = await rate(clock, mover, 4_000);
    t.ok(Math.abs(moved / (2 * MB) - 1) < 0.1, `${moved}`);
    t.ok(Math.abs(late.moved / (2 * MB) - 1) < 0.1, `${late.moved}`);
  });
  await t.test('what is no limit', async (t) => {
    const limiter = new RateLimiter(new VirtualClock());
    const client = limiter.torrent().client(() => undefined);
    for (const none of [0, -1, Number.NaN, Infinity]) {
      limiter.setLimit(none);
      t.notOk(client.isLimited, String(none));
    }
  });
});

void t.test('closing', async (t) => {
  await t.test('a client that waits is not called, and others get its turn', async (t) => {
    const clock = new VirtualClock();
    const limiter = new RateLimiter(clock);
    limiter.setLimit(100 * KB);
    const torrent = limiter.torrent();
    const gone = torrent.client(() => t.fail('closed'));
    t.notOk(gone.mayGo());
    const stays = new Mover(clock, torrent, { chunk: KB }).start();
    gone.close();
    gone.close();
    t.notOk(gone.mayGo());
    gone.charge(MB);
    await clock.advance(1_000);
    t.ok(stays.moved >= 99 * KB);
  });
  await t.test('with credit: it is given back', async (t) => {
    const clock = new VirtualClock();
    const limiter = new RateLimiter(clock);
    limiter.setLimit(64 * KB);
    await clock.advance(1_000);
    const torrent = limiter.torrent();
    const gone = torrent.client(() => undefined);
    t.ok(gone.mayGo());
    gone.close();
    t.ok(torrent.client(() => undefined).mayGo());
  });
  await t.test('the last that waits: the timer goes too', async (t) => {
    const clock = new VirtualClock();
    const limiter = new RateLimiter(clock);
    limiter.setLimit(KB);
    const [one, two] = [limiter.torrent(), limiter.torrent()];
    const client = one.client(() => t.fail('closed'));
    t.notOk(client.mayGo());
    t.notOk(two.client(() => t.fail('closed')).mayGo());
    client.close();
    t.equal(clock.pendingTimers, 1);
    two.close();
    two.close();
    two.setLimit(1);
    t.equal(clock.pendingTimers, 0);
  });
  await t.test('from within onReady', async (t) => {
    const clock = new VirtualClock();
    const limiter = new RateLimiter(clock);
    limiter.setLimit(100 * KB);
    const [torrent, other] = [limiter.torrent(), limiter.torrent()];
    const called: number[] = [];
    const clients: RateClient[] = [];
    for (let at = 0; at < 6; at++) {
      clients.push(
        torrent.client(() => {
          called.push(at);
          if (at === 0) clients[1]!.close();
          if (at === 2) limiter.setLimit(0);
          if (at === 3) torrent.close();
        }),
      );
    }
    for (const client of clients) t.notOk(client.mayGo());
    const bystander = new Mover(clock, other, { chunk: KB }).start();
    await clock.advance(2_000);
    t.notOk(called.includes(1));
    t.ok(called.includes(3));
    t.notOk(called.includes(4), 'its torrent has gone');
    t.ok(bystander.calls > 0);
    t.equal(clock.pendingTimers, 0);
  });
});

void t.test('whatever happens, nobody is forgotten and nothing is left behind', async () => {
  type Act =
    | { readonly kind: 'ask' | 'close'; readonly who: number }
    | { readonly kind: 'charge'; readonly who: number; readonly bytes: number }
    | { readonly kind: 'limit'; readonly of: number; readonly limit: number }
    | { readonly kind: 'join'; readonly torrent: number; readonly account: number }
    | { readonly kind: 'wait'; readonly ms: number };
  const who = fc.nat(11);
  const act: fc.Arbitrary<Act> = fc.oneof(
    fc.record({ kind: fc.constant('ask' as const), who }),
    fc.record({ kind: fc.constant('close' as const), who }),
    fc.record({ kind: fc.constant('charge' as const), who, bytes: fc.integer({ min: 0, max: 100 * KB }) }),
    fc.record({
      kind: fc.constant('limit' as const),
      of: fc.nat(5),
      limit: fc.constantFrom(0, 0, 5 * KB, 100 * KB, 10 * MB),
    }),
    fc.record({ kind: fc.constant('join' as const), torrent: fc.nat(2), account: fc.nat(2) }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(200) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 80 }), async (acts) => {
      const clock = new VirtualClock();
      const limiter = new RateLimiter(clock);
      const torrents = [0, 1, 2].map(() => limiter.torrent());
      const accounts = [limiter.group(), limiter.group()];
      const limited = [limiter, ...torrents, ...accounts];
      const peers = Array.from({ length: 12 }, (_, at) => {
        const peer = { waits: false, closed: false, client: torrents[at % 3]!.client(() => ready()) };
        const ready = (): void => {
          if (!peer.waits || peer.closed) throw new Error('called though it does not wait');
          peer.waits = false;
        };
        return peer;
      });
      for (const step of acts) {
        if (step.kind === 'wait') await clock.advance(step.ms);
        else if (step.kind === 'limit') limited[step.of]!.setLimit(step.limit);
        else if (step.kind === 'join') torrents[step.torrent]!.join(accounts[step.account] ?? null);
        else {
          const peer = peers[step.who]!;
          if (step.kind === 'charge') peer.client.charge(step.bytes);
          else if (step.kind === 'ask') {
            if (peer.client.mayGo()) {
              if (peer.waits && !peer.closed) throw new Error('goes while it waits');
            } else if (!peer.closed) peer.waits = true;
          } else {
            peer.client.close();
            peer.closed = true;
            peer.waits = false;
          }
        }
        const waiting = peers.filter((peer) => peer.waits).length;
        if (clock.pendingTimers !== (waiting > 0 ? 1 : 0)) throw new Error(`${clock.pendingTimers} timers`);
      }
      for (const bucket of limited) bucket.setLimit(0);
      return peers.every((peer) => !peer.waits) && clock.pendingTimers === 0;
    }),
    { numRuns: 300 },
  );
});

void t.test('a refund is as if it had never been charged', async (t) => {
  for (const where of ['global', 'torrent'] as const) {
    const clock = new VirtualClock();
    const limiter = new RateLimiter(clock);
    const torrent = limiter.torrent();
    (where === 'global' ? limiter : torrent).setLimit(100 * KB);
    const mover = new Mover(clock, torrent, { chunk: 16 * KB }).start();
    const waster = torrent.client(() => undefined);
    for (let i = 0; i < 100; i++) {
      waster.charge(50 * KB);
      await clock.advance(100);
      waster.refund(50 * KB);
    }
    t.ok(Math.abs(mover.moved / (1_000 * KB) - 1) < 0.05, `${where}: ${mover.moved} of ${1_000 * KB}`);
    torrent.close();
    waster.refund(1e9);
    t.notOk(waster.mayGo(), 'closed is closed');
  }
});

void t.test('the torrents of an account share its limit evenly, and those of others notice nothing', async (t) => {
  const clock = new VirtualClock();
  const limiter = new RateLimiter(clock);
  const [bob, eve] = [limiter.group(), limiter.group()];
  bob.setLimit(100 * KB);
  eve.setLimit(MB);
  const torrents = [bob, bob, eve].map((account) => {
    const torrent = limiter.torrent();
    torrent.join(account);
    return torrent;
  });
  const [first, second, third] = torrents.map((torrent) => new Mover(clock, torrent, { chunk: 4 * KB }).start());
  await clock.advance(20_000);
  const together = first!.moved + second!.moved;
  t.ok(Math.abs(together / (2_000 * KB) - 1) < 0.03, `${together} of ${2_000 * KB}`);
  t.ok(Math.abs(first!.moved / second!.moved - 1) < 0.1, `${first!.moved} and ${second!.moved}`);
  t.ok(Math.abs(third!.moved / (20 * MB) - 1) < 0.03, `${third!.moved} of ${20 * MB}`);
  torrents[1]!.join(eve);
  const before = first!.moved;
  await clock.advance(10_000);
  t.ok(
    Math.abs((first!.moved - before) / (1_000 * KB) - 1) < 0.05,
    'what goes to another account leaves all to the rest',
  );
});
