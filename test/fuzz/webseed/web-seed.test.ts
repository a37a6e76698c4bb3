// Whatever a web seed's server says, and whatever our side asks of the socket in whatever order: nothing throws, no
// promise is left rejected (tap fails on both), requests are answered exactly once, and the connection closes once.
import t from 'tap';
import fc from 'fast-check';
import { ADMIN_ACCOUNT_ID } from '../../../shared-protocol/ids.js';
import { directOutlet } from '../../support/direct-outlet.js';
import { namesFrom } from '../../support/names.js';
import type { LookupFunction } from 'node:net';
import { AddressPolicy } from '../../../shared-protocol/address-policy.js';
import type { ByteRange, RangeAnswer, WebSeedHttp } from '../../../engine/webseed/types.js';
import { fileUrl } from '../../../engine/webseed/file-url.js';
import { HostPins } from '../../../engine/webseed/host-pins.js';
import { SeedFailure } from '../../../engine/webseed/types.js';
import { judgeResponse, parseContentRange, parseRetryAfter } from '../../../engine/webseed/response.js';
import { WebSeedRoster } from '../../../engine/webseed/roster.js';
import { FUZZ_SEED, fuzzRuns } from '../../support/fuzzing.js';
import { seededBytes } from '../../support/make-torrent.js';
import { SeededRandom } from '../../support/seeded-random.js';
import { VirtualClock } from '../../support/virtual-clock.js';
import { blocksOf, SeedPeer, seededTorrent } from '../../unit/engine/webseed/seed-peer.js';

const RUNS = fuzzRuns(3_000);
const NOW = Date.UTC(2026, 0, 1);

const number = fc.oneof(fc.nat(30).map(String), fc.constantFrom('-1', '', '*', '1e3', '9007199254740993', '٣', '0x1'));
const header = fc.oneof(
  fc.string(),
  fc
    .tuple(fc.constantFrom('bytes ', 'bytes=', 'Bytes  ', 'items '), number, number, number)
    .map(([unit, first, last, total]) => `${unit}${first}-${last}/${total}`),
  fc.constantFrom('gzip', 'identity', 'bytes */10', 'Thu, 01 Jan 2026 00:02:00 GMT', '120', '-5'),
);

void t.test('headers', async (t) => {
  let accepted = 0;
  fc.assert(
    fc.property(header, (text) => {
      const range = parseContentRange(text);
      const seconds = parseRetryAfter(text, NOW);
      const isPossible = !range || (range.first <= range.last && (range.total === null || range.last < range.total));
      return isPossible && (seconds === null || (Number.isSafeInteger(seconds) && seconds >= 0));
    }),
    { numRuns: RUNS },
  );
  const headers = fc.record(
    {
      'content-range': fc.oneof(header, fc.constant('bytes 3-9/20'), fc.array(header)),
      'content-length': fc.oneof(fc.constant('7'), header),
      'content-encoding': fc.oneof(fc.constant('identity'), header),
      'retry-after': header,
    },
    { requiredKeys: [] },
  );
  const status = fc.oneof(fc.constantFrom(200, 206, 416, 429, 503), fc.integer({ min: 100, max: 999 }));
  fc.assert(
    fc.property(status, headers, (code, given) => {
      const refusal = judgeResponse(code, given, { first: 3, last: 9, fileBytes: 20 }, NOW);
      if (refusal) return refusal.reason.length < 400 && /^[\x20-\x7e…]+$/.test(refusal.reason);
      accepted++;
      // `bytes 3-9/20` or `bytes 3-9/*`, however it is spelt.
      return code === 206 && /^ *bytes +0*3-0*9\/(0*20|\*) *$/i.test(String(given['content-range']));
    }),
    { numRuns: RUNS },
  );
  t.ok(accepted > 10, `${accepted} of ${RUNS} were accepted, seed ${FUZZ_SEED}`);
});

void t.test('URLs: a file lies below its seed, and reaches only admitted hosts', async (t) => {
  const names = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.string({ minLength: 1, unit: 'binary' }),
    fc.constantFrom('..', '.', '%2e%2e', '//', '\\', '?', '#', '@evil'),
  );
  const bytes = Buffer.alloc(1);
  fc.assert(
    fc.property(names, fc.array(names, { minLength: 1, maxLength: 3 }), (name, path) => {
      const { info } = seededTorrent({ name, pieceLength: 16_384, files: [{ path, bytes }] });
      const url = fileUrl('http://seed.example/pub?x=1', info, info.files[0]!);
      const { origin, pathname, search } = url;
      const elements = pathname.split('/').length - 2;
      const isWhole = elements === info.files[0]!.path.length;
      return origin === 'http://seed.example' && pathname.startsWith('/pub/') && search === '?x=1' && isWhole;
    }),
    { numRuns: fuzzRuns(1_000) },
  );
  const host = fc.oneof(
    fc.ipV4(),
    fc.ipV6().map((text) => `[${text}]`),
    fc.nat(0xffffffff).map(String),
    fc.domain(),
  );
  await fc.assert(
    fc.asyncProperty(
      host,
      fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string()), { maxLength: 4 }),
      async (name, found) => {
        if (!URL.canParse(`http://${name}/`)) return true;
        const lookup: LookupFunction = (_host, _options, callback) => {
          callback(
            null,
            found.map((address) => ({ address, family: 4 })),
          );
        };
        const outlet = directOutlet();
        const rules = { names: namesFrom(lookup), policy: new AddressPolicy(), isBlocked: () => false, outlet };
        const pins = new HostPins(rules, { account: ADMIN_ACCOUNT_ID, mayReachInside: () => false });
        const { signal } = new AbortController();
        const pin = await pins.admit(new URL(`http://${name}/?q`), null, signal).catch((error: unknown) => error);
        if (pin instanceof SeedFailure) return true;
        return !(pin instanceof Error) && (pin as { isInside: boolean }).isInside === false;
      },
    ),
    { numRuns: fuzzRuns(1_000) },
  );
  t.pass(`seed ${FUZZ_SEED}`);
});

void t.test('the roster keeps its limits, whatever happens in whatever order', async (t) => {
  const outcome = fc.oneof(
    fc.constantFrom({ kind: 'ok' } as const, { kind: 'failed' } as const, { kind: 'bad-data' } as const),
    fc.record({ kind: fc.constant('retry-after' as const), seconds: fc.nat() }),
  );
  const step = fc.record({ afterMs: fc.nat(5_000_000), takes: fc.boolean(), seed: fc.nat(6), outcome });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const urls = [0, 1, 2, 3, 4, 5].map((n) => `http://seed${n}.example/`);
      const roster = new WebSeedRoster(urls);
      const taken = new Set<string>();
      const banned = new Set<string>();
      let nowMs = 0;
      for (const { afterMs, takes, seed, outcome } of steps) {
        nowMs += afterMs;
        if (takes) {
          const dueMs = roster.nextAttemptMs();
          const url = roster.take(nowMs);
          if ((url !== null) !== (dueMs !== null && dueMs <= nowMs)) return false;
          if (url !== null && (taken.has(url) || banned.has(url))) return false;
          if (url !== null) taken.add(url);
        } else {
          const url = urls[seed] ?? 'http://unknown.example/';
          roster.onEnded(url, outcome, nowMs);
          if (taken.delete(url) && outcome.kind === 'bad-data') banned.add(url);
        }
        const states = roster.views().map(({ state }) => state);
        if (taken.size > 3 || states.filter((state) => state === 'connected').length !== taken.size) return false;
        const dueMs = roster.nextAttemptMs();
        if (dueMs !== null && dueMs > nowMs + 3_600_000) return false;
      }
      return true;
    }),
    { numRuns: RUNS },
  );
  t.pass(`seed ${FUZZ_SEED}`);
});

const TORRENT = seededTorrent({
  name: 'Many',
  pieceLength: 32 * 1024,
  padFiles: true,
  files: [50_000, 0, 16_384, 7, 90_000, 1].map((size, n) => ({ path: [`f${n}`], bytes: seededBytes(n, size) })),
});

/** A server that answers rightly in chunks of any size, at any time, and now and then breaks off. */
function fickleHttp(random: SeededRandom, clock: VirtualClock, failsOneIn: number): WebSeedHttp {
  const wait = (): Promise<void> =>
    new Promise((resolve) => void clock.after(random.below(3) * random.below(2_000), resolve));
  async function* body(url: URL, { first, last }: ByteRange, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const file = TORRENT.info.files.find(({ path }) => url.pathname.endsWith(`/${path.at(-1)}`))!;
    for (let at = first; at <= last;) {
      if (random.below(2) === 0) await wait();
      if (signal.aborted) throw new SeedFailure('given up');
      if (random.below(failsOneIn) === 0) throw new SeedFailure('broke off');
      const end = Math.min(last + 1, at + 1 + random.below(40_000));
      yield TORRENT.payload.subarray(file.offset + at, file.offset + end);
      at = end;
    }
  }
  return {
    newClient: () => ({
      get: async (url, range, signal): Promise<RangeAnswer> => {
        await wait();
        if (signal.aborted) return { kind: 'failed', reason: 'given up' };
        return { kind: 'body', chunks: body(url, range, signal) };
      },
      close: () => undefined,
    }),
  };
}

void t.test('every request is answered by one piece or one reject, whatever we do meanwhile', async (t) => {
  const blocks = blocksOf(TORRENT.info);
  let answered = 0;
  for (let run = 0; run < fuzzRuns(150); run++) {
    const random = new SeededRandom(FUZZ_SEED + run);
    const clock = new VirtualClock();
    const fails = run % 3 === 0 ? 20 : 1_000_000_000;
    const peer = new SeedPeer({ clock, http: fickleHttp(random, clock, fails) }, TORRENT, 'http://seed.example/');
    await clock.advance(0);
    /** Requests without an answer yet, by block. */
    const open = new Set<string>();
    let heardUpTo = peer.recorded.heard.length;
    const listen = (): void => {
      for (const note of peer.recorded.heard.slice(heardUpTo)) {
        const match = /^(?:blockEnd|reject) (\d+ \d+) /.exec(note);
        if (!match) continue;
        answered++;
        if (!open.delete(match[1] ?? '')) t.fail(`seed ${FUZZ_SEED + run}: ${note} answers nothing`);
      }
      heardUpTo = peer.recorded.heard.length;
    };
    for (let step = 0; step < 60; step++) {
      const from = random.below(blocks.length);
      const some = blocks.slice(from, from + 1 + random.below(6));
      const kind = random.below(8);
      if (kind < 3) {
        const fresh = some.filter(({ piece, begin }) => !open.has(`${piece} ${begin}`));
        for (const { piece, begin } of fresh) open.add(`${piece} ${begin}`);
        peer.request(fresh);
      } else if (kind === 3) peer.cancel(some);
      else if (kind === 4) peer.socket.pauseReading();
      else if (kind === 5) peer.socket.resumeReading();
      else await clock.advance(random.below(3_000));
      listen();
    }
    peer.socket.resumeReading();
    await clock.advance(600_000);
    listen();
    if (peer.count().wrong.length > 0) t.fail(`seed ${FUZZ_SEED + run}: wrong bytes at ${peer.count().wrong.join()}`);
    const closed = peer.recorded.closes.length;
    if (closed > 1 || (closed === 0 && open.size > 0))
      t.fail(`seed ${FUZZ_SEED + run}: ${[...open].join()} unanswered`);
    if (closed === 1 && fails > 20) t.fail(`seed ${FUZZ_SEED + run}: closed, ${peer.closeReason}`);
    peer.socket.destroy();
    await clock.advance(1);
    if (clock.pendingTimers > 0) t.fail(`seed ${FUZZ_SEED + run}: ${clock.pendingTimers} timers left`);
  }
  t.ok(answered > 3_000, `${answered} requests were answered, seed ${FUZZ_SEED}`);
});
