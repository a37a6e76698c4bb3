import t from 'tap';
import { SeedFailure, type ByteRange, type RangeAnswer, type WebSeedHttp } from '../../../../engine/webseed/types.js';
import { webSeedPeerId } from '../../../../engine/webseed/identity.js';
import { seededBytes } from '../../../support/make-torrent.js';
import { VirtualClock } from '../../../support/virtual-clock.js';
import { blocksOf, SeedPeer, seededTorrent, type SeededTorrent } from './seed-peer.js';

const URL_TEXT = 'http://seed.example/f.bin';
const KIB = 1024;

/** A request that came to HTTP; the test answers it. */
interface Asked {
  readonly url: string;
  readonly range: ByteRange;
  readonly signal: AbortSignal;
  answer(answer: RangeAnswer): void;
}

class ScriptedHttp implements WebSeedHttp {
  readonly asked: Asked[] = [];
  closed = 0;

  newClient(): ReturnType<WebSeedHttp['newClient']> {
    return {
      get: (url, range, signal) =>
        new Promise((resolve) => {
          this.asked.push({ url: url.href, range, signal, answer: resolve });
          signal.addEventListener('abort', () => resolve({ kind: 'failed', reason: 'given up' }));
        }),
      close: () => void this.closed++,
    };
  }
}

/** A body that the test writes chunk by chunk; it ends with the signal. */
class ScriptedBody {
  readonly #chunks: Uint8Array[] = [];
  #wake: (() => void) | null = null;
  #ended = false;
  /** Chunks that were taken. */
  taken = 0;

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener('abort', () => this.#wake?.());
  }

  write(...chunks: readonly Uint8Array[]): void {
    this.#chunks.push(...chunks);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      if (this.signal.aborted) throw new SeedFailure('given up');
      const chunk = this.#chunks.shift();
      if (chunk) {
        this.taken++;
        yield chunk;
      } else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

function scene(options: { torrent?: SeededTorrent; onNote?: (note: string, peer: SeedPeer) => void } = {}) {
  const clock = new VirtualClock();
  const http = new ScriptedHttp();
  const torrent =
    options.torrent ?? seededTorrent({ name: 'f.bin', pieceLength: 32 * KIB, files: seededBytes(1, 320 * KIB) });
  const peer = new SeedPeer({ clock, http }, torrent, URL_TEXT, options.onNote);
  /** Answers the request at `index` with a body to be written. */
  const body = (index: number): ScriptedBody => {
    const asked = http.asked[index]!;
    const scripted = new ScriptedBody(asked.signal);
    asked.answer({ kind: 'body', chunks: scripted.read() });
    return scripted;
  };
  const ranges = (): string[] => http.asked.map(({ range }) => `${range.first}-${range.last}`);
  return { clock, http, torrent, peer, body, ranges, payload: torrent.payload };
}

void t.test('it shakes hands as a peer that has everything', async (t) => {
  const { clock, http, peer, torrent } = scene();
  t.same(peer.recorded.heard, [], 'nothing within the constructor');
  await clock.advance(0);
  const handshake = `handshake ${torrent.info.infoHash} ${webSeedPeerId(URL_TEXT)} fast`;
  t.same(peer.recorded.heard, ['connect', handshake, 'haveAll', 'unchoke']);
  t.equal(peer.recorded.closes.length, 0);
  t.same(http.asked, [], 'the server is left alone until somebody asks for a block');
  peer.recorded.connection.sendKeepAlive();
  peer.recorded.connection.sendInterested(true);
  peer.recorded.connection.sendHave(3);
  peer.recorded.connection.sendBitfield(Uint8Array.of(0xff, 0xc0));
  await clock.settle();
  t.equal(peer.recorded.closes.length, 0);
  peer.socket.destroy();
  await clock.advance(0);
});

void t.test('requests of one write that continue each other become one range, others their own', async (t) => {
  const { clock, peer, body, ranges, payload, http } = scene();
  await clock.advance(0);
  const blocks = blocksOf(peer.torrent.info);
  peer.request([...blocks.slice(0, 6), ...blocks.slice(8, 10)]);
  await clock.settle();
  t.same(ranges(), ['0-98303'], 'across piece borders, one at a time');
  t.equal(http.asked[0]?.range.fileBytes, 320 * KIB);
  peer.request(blocks.slice(10, 12));
  const first = body(0);
  first.write(payload.subarray(0, 100), payload.subarray(100, 20_000), payload.subarray(20_000, 98_304));
  await clock.settle();
  t.same(peer.count(), { right: 6, wrong: [] }, 'however it is cut');
  t.equal(ranges().length, 1, 'the next waits for the end of the body');
  first.end();
  await clock.settle();
  t.same(ranges(), ['0-98303', '131072-196607']);
  const second = body(1);
  second.write(payload.subarray(131_072, 196_608));
  second.end();
  await clock.settle();
  t.same(peer.count(), { right: 10, wrong: [] });
  t.same(peer.rejects(), []);
  peer.socket.destroy();
  await clock.advance(0);
  t.equal(http.closed, 1);
  t.equal(clock.pendingTimers, 0);
});

void t.test('a block is delivered whole and once, asked for twice or not', async (t) => {
  const { clock, peer, body, payload, http } = scene();
  await clock.advance(0);
  const blocks = blocksOf(peer.torrent.info, 0, 0);
  peer.request([...blocks, ...blocks]);
  await clock.settle();
  const written = body(0);
  written.write(payload.subarray(0, 16_383));
  await clock.settle();
  t.equal(peer.recorded.blocks.length, 0);
  t.notOk(peer.heard('blockStart 0 0 16384'), 'not even its header');
  peer.request(blocks);
  written.write(payload.subarray(16_383, 32_768));
  written.end();
  await clock.settle();
  t.same(peer.count(), { right: 2, wrong: [] });
  t.equal(http.asked.length, 1);
  peer.request(blocks);
  await clock.settle();
  t.equal(http.asked.length, 2, 'later it may be asked for again');
  peer.socket.destroy();
  await clock.advance(0);
});

void t.test('requests that cannot be served are rejected', async (t) => {
  const { clock, peer, http } = scene();
  await clock.advance(0);
  const bad = [
    { piece: 10, begin: 0, length: 16_384 },
    { piece: 0, begin: 32_768, length: 16_384 },
    { piece: 0, begin: 1, length: 16_384 },
    { piece: 0, begin: 0, length: 0 },
    { piece: 0, begin: 0, length: 16_385 },
    { piece: 0xffffffff, begin: 0xffffffff, length: 0xffffffff },
  ];
  peer.request(bad);
  await clock.settle();
  t.same(
    peer.rejects(),
    bad.map(({ piece, begin, length }) => `reject ${piece} ${begin} ${length}`),
  );
  t.same(http.asked, []);
  peer.socket.destroy();
  await clock.advance(0);
});

void t.test('the queue holds 2,000 requests and rejects those beyond', async (t) => {
  const torrent = seededTorrent({ name: 'f.bin', pieceLength: 4_096 * KIB, files: new Uint8Array(40 * 1024 * KIB) });
  const { clock, peer } = scene({ torrent });
  await clock.advance(0);
  const blocks = blocksOf(torrent.info);
  peer.request(blocks.slice(0, 2_010));
  await clock.settle();
  t.same(
    peer.rejects(),
    blocks.slice(2_000, 2_010).map(({ piece, begin, length }) => `reject ${piece} ${begin} ${length}`),
  );
  peer.socket.destroy();
  await clock.advance(0);
});

void t.test('cancel: what is queued, what is asked for, and what is on its way', async (t) => {
  const { clock, peer, body, ranges, payload, http } = scene();
  await clock.advance(0);
  const blocks = blocksOf(peer.torrent.info);
  const [a, b, c, d] = blocks.slice(0, 4);
  peer.request([a!, b!, c!, d!, blocks[8]!, blocks[12]!]);
  await clock.settle();
  peer.cancel([b!, blocks[8]!]);
  await clock.settle();
  t.same(peer.rejects(), ['reject 0 16384 16384', 'reject 4 0 16384'], 'each is answered, by a reject');
  const written = body(0);
  written.write(payload.subarray(0, 40_000));
  await clock.settle();
  t.same(
    peer.recorded.blocks.map(({ piece, begin }) => [piece, begin]),
    [[0, 0]],
    'its bytes are passed over',
  );
  peer.cancel([a!, blocks[9]!]);
  await clock.settle();
  t.equal(peer.rejects().length, 2, 'what has been answered, or was never asked for, is not answered again');
  t.notOk(http.asked[0]?.signal.aborted);
  peer.cancel([c!, d!]);
  await clock.settle();
  t.ok(http.asked[0]?.signal.aborted, 'nobody waits for the rest');
  t.same(ranges(), ['0-65535', '196608-212991'], 'the next is begun, without what was cancelled');
  t.same(peer.rejects().slice(2), ['reject 1 0 16384', 'reject 1 16384 16384']);
  const last = body(1);
  last.write(payload.subarray(196_608, 212_992));
  last.end();
  await clock.settle();
  t.same(peer.count(), { right: 2, wrong: [] });
  t.equal(peer.recorded.closes.length, 0);
  peer.cancel([blocks[12]!]);
  await clock.settle();
  t.equal(peer.rejects().length, 4);
  peer.socket.destroy();
  await clock.advance(0);
});

void t.test('a request cancelled before its answer does not close the seed', async (t) => {
  const { clock, peer, http } = scene();
  await clock.advance(0);
  const blocks = blocksOf(peer.torrent.info, 0, 0);
  peer.request(blocks);
  await clock.settle();
  peer.cancel(blocks);
  await clock.settle();
  t.ok(http.asked[0]?.signal.aborted);
  peer.request(blocks);
  await clock.settle();
  t.equal(http.asked.length, 2);
  t.equal(peer.recorded.closes.length, 0);
  peer.socket.destroy();
  await clock.advance(0);
});

void t.test('paused: nothing is delivered, and no more than a chunk is taken', async (t) => {
  let isFirst = true;
  const { clock, peer, body, payload } = scene({
    onNote: (note, peer) => {
      if (!note.startsWith('blockEnd') || !isFirst) return;
      isFirst = false;
      peer.socket.pauseReading();
    },
  });
  await clock.advance(0);
  const blocks = blocksOf(peer.torrent.info);
  peer.request(blocks);
  await clock.settle();
  const written = body(0);
  for (let at = 0; at < payload.length; at += 40_000) written.write(payload.subarray(at, at + 40_000));
  written.end();
  await clock.settle();
  t.equal(peer.recorded.blocks.length, 1, 'paused within the chunk');
  t.equal(written.taken, 1);
  peer.request([{ piece: 99, begin: 0, length: 1 }]);
  await clock.advance(10 * 60_000);
  t.same(peer.rejects(), [], 'not a reject either');
  t.equal(peer.recorded.closes.length, 0, 'the silence is not the seed’s');
  const before = peer.recorded.heard.length;
  peer.socket.resumeReading();
  t.equal(peer.recorded.heard.length, before, 'not within the call');
  await clock.settle();
  t.same(peer.count(), { right: 20, wrong: [] });
  t.equal(peer.rejects().length, 1);
  peer.socket.destroy();
  await clock.advance(0);
  t.equal(clock.pendingTimers, 0);
});

void t.test('a seed that says nothing for 20 s is closed, before its answer and within it', async (t) => {
  for (const isWithin of [false, true]) {
    const { clock, peer, body, http, payload } = scene();
    await clock.advance(0);
    peer.request(blocksOf(peer.torrent.info));
    await clock.settle();
    if (isWithin) {
      await clock.advance(19_000);
      const written = body(0);
      await clock.advance(900);
      for (let i = 0; i < 5; i++) {
        written.write(payload.subarray(i, i + 1));
        await clock.advance(19_999);
      }
    } else await clock.advance(19_999);
    t.equal(peer.recorded.closes.length, 0);
    await clock.advance(1);
    t.same(peer.recorded.closes, [{ reason: 'SOCKET_CLOSED', detail: 'nothing for 20 s' }]);
    t.ok(http.asked[0]?.signal.aborted);
    t.equal(clock.pendingTimers, 0);
  }
});

void t.test('what HTTP says ends the connection, once, with the reason', async (t) => {
  const cases: { answer: RangeAnswer; expected: string }[] = [
    { answer: { kind: 'failed', reason: 'HTTP status 404' }, expected: 'HTTP status 404' },
    {
      answer: { kind: 'retry-after', seconds: 30, reason: 'HTTP status 503' },
      expected: 'retry after 30 s: HTTP status 503',
    },
    {
      answer: { kind: 'body', chunks: failing('body ended 5 bytes too early') },
      expected: 'body ended 5 bytes too early',
    },
  ];
  for (const { answer, expected } of cases) {
    const { clock, peer, http } = scene();
    await clock.advance(0);
    peer.request(blocksOf(peer.torrent.info));
    await clock.settle();
    http.asked[0]?.answer(answer);
    await clock.advance(0);
    t.same(peer.recorded.closes, [{ reason: 'SOCKET_CLOSED', detail: expected }]);
    peer.socket.destroy();
    await clock.advance(0);
    t.equal(peer.recorded.closes.length, 1);
    t.equal(http.asked.length, 1);
    t.equal(http.closed, 1);
  }
});

void t.test('destroy in any state is an orderly end, once, and frees what waits', async (t) => {
  for (const state of ['before connecting', 'idle', 'asked', 'in a body', 'paused'] as const) {
    const { clock, peer, body, http, payload } = scene();
    const closes: string[] = [];
    const written: string[] = [];
    if (state !== 'before connecting') await clock.advance(0);
    if (state === 'asked' || state === 'in a body' || state === 'paused') {
      if (state === 'paused') peer.socket.pauseReading();
      peer.request(blocksOf(peer.torrent.info));
      await clock.settle();
      if (state !== 'asked') body(0).write(payload.subarray(0, 50_000));
      await clock.settle();
    }
    // The connection itself stops listening when it closes; so hear the socket directly.
    peer.socket.setHandler({
      onConnect: () => closes.push('connect'),
      onData: () => closes.push('data'),
      onDrain: () => undefined,
      onClose: (reason) => closes.push(`close ${reason}`),
    });
    peer.socket.destroy();
    peer.socket.destroy();
    t.same(closes, [], 'not within the call');
    peer.socket.write(Buffer.alloc(100), () => written.push('done'));
    peer.socket.pauseReading();
    peer.socket.resumeReading();
    await clock.advance(60_000);
    t.same(closes, ['close '], state);
    t.same(written, ['done'], 'bytes may be reused also after the end');
    t.equal(clock.pendingTimers, 0);
    t.equal(http.asked[0]?.signal.aborted ?? true, true);
  }
});

void t.test('pad files are made here, empty files asked nobody, and each file is a request of its own', async (t) => {
  const torrent = seededTorrent({
    name: 'Many',
    pieceLength: 32 * KIB,
    padFiles: true,
    files: [
      { path: ['a'], bytes: seededBytes(1, 40_000) },
      { path: ['empty'], bytes: new Uint8Array(0) },
      { path: ['b'], bytes: seededBytes(2, 70_000) },
      { path: ['c'], bytes: seededBytes(3, 5) },
    ],
  });
  const clock = new VirtualClock();
  const http = new ScriptedHttp();
  const peer = new SeedPeer({ clock, http }, torrent, 'http://seed.example/pub');
  await clock.advance(0);
  peer.request(blocksOf(torrent.info));
  const expected = [
    { url: 'http://seed.example/pub/Many/a', first: 0, last: 39_999, fileBytes: 40_000 },
    { url: 'http://seed.example/pub/Many/b', first: 0, last: 69_999, fileBytes: 70_000 },
    { url: 'http://seed.example/pub/Many/c', first: 0, last: 4, fileBytes: 5 },
  ];
  const bytes = [seededBytes(1, 40_000), seededBytes(2, 70_000), seededBytes(3, 5)];
  for (let i = 0; i < 3; i++) {
    await clock.settle();
    t.same({ url: http.asked[i]?.url, ...http.asked[i]?.range }, expected[i]);
    const written = new ScriptedBody(http.asked[i]!.signal);
    written.write(bytes[i]!);
    written.end();
    http.asked[i]!.answer({ kind: 'body', chunks: written.read() });
  }
  await clock.settle();
  t.equal(http.asked.length, 3);
  t.same(peer.count(), { right: blocksOf(torrent.info).length, wrong: [] });
  peer.socket.destroy();
  await clock.advance(0);
});

void t.test('cancelled parts of a run are not asked for; a block over two files is', async (t) => {
  const torrent = seededTorrent({
    name: 'Many',
    pieceLength: 64 * KIB,
    files: [0, 1, 2, 3].map((n) => ({ path: [`f${n}`], bytes: seededBytes(n, 20_000) })),
  });
  const clock = new VirtualClock();
  const http = new ScriptedHttp();
  const peer = new SeedPeer({ clock, http }, torrent, 'http://seed.example/');
  await clock.advance(0);
  // Blocks at 0, 16384, 32768, 49152 and 65536; files at 0, 20000, 40000 and 60000.
  const blocks = blocksOf(torrent.info);
  peer.request(blocks);
  await clock.settle();
  peer.cancel([blocks[1]!, blocks[2]!]);
  const first = new ScriptedBody(http.asked[0]!.signal);
  http.asked[0]!.answer({ kind: 'body', chunks: first.read() });
  first.write(torrent.payload.subarray(0, 20_000));
  first.end();
  for (let i = 1; i < 4; i++) {
    await clock.settle();
    const asked = http.asked[i];
    if (!asked) break;
    const start = Number(asked.url.at(-1)) * 20_000;
    const body = new ScriptedBody(asked.signal);
    body.write(torrent.payload.subarray(start + asked.range.first, start + asked.range.last + 1));
    body.end();
    asked.answer({ kind: 'body', chunks: body.read() });
  }
  await clock.settle();
  t.same(
    http.asked.map(({ url }) => url.at(-1)),
    ['0', '2', '3'],
    'all of file 1 lies in cancelled blocks',
  );
  t.same(
    peer.recorded.blocks.map(({ piece, begin }) => [piece, begin]),
    [
      [0, 0],
      [0, 49_152],
      [1, 0],
    ],
  );
  t.same(peer.count().wrong, []);
  peer.socket.destroy();
  await clock.advance(0);
});

void t.test('a handshake for another torrent is a bug of ours, and closes', async (t) => {
  const { clock, peer, http } = scene();
  const heard: string[] = [];
  peer.socket.setHandler({
    onConnect: () => undefined,
    onData: () => heard.push('data'),
    onDrain: () => undefined,
    onClose: (reason) => heard.push(reason),
  });
  peer.socket.write(Buffer.concat([Buffer.from('\x13BitTorrent protocol', 'latin1'), Buffer.alloc(48)]));
  await clock.advance(0);
  t.same(heard, ['bug: handshake for another torrent']);
  t.equal(http.closed, 1);
});

async function* failing(reason: string): AsyncGenerator<Uint8Array> {
  throw new SeedFailure(reason);
}
