// Web seeds over real connections: the peer connection, the socket and undici against a server that may misbehave
// (docs/limits.md 2.22, 2.24).
import t from 'tap';
import { namesFrom } from '../../../support/names.js';
import type { LookupFunction } from 'node:net';
import { AddressPolicy, parseCidrs } from '../../../../shared-protocol/address-policy.js';
import { webSeedsOnDemand, webSeedOutcome, type WebSeedHttpOptions } from '../../../../engine/webseed/index.js';
import { seededBytes } from '../../../support/make-torrent.js';
import { systemClock } from '../../../../shared-protocol/clock.js';
import { TEST_CERTIFICATE } from '../../../support/tls-fixture.js';
import {
  answer,
  MISBEHAVIOURS,
  startWebSeedServer,
  status,
  type Respond,
  type WebSeedServer,
} from '../../../support/web-seed-server.js';
import { blocksOf, SeedPeer, seededTorrent, type SeededTorrent } from '../../../unit/engine/webseed/seed-peer.js';

/** As --fetch-allow does. */
const OPEN = new AddressPolicy(parseCidrs(['127.0.0.0/8', '::1/128']));
const KIB = 1024;
const FILE = seededBytes(7, 500_000);
const SINGLE = seededTorrent({ name: 'f.bin', pieceLength: 64 * KIB, files: FILE });

function dial(url: string, torrent: SeededTorrent = SINGLE, options: Partial<WebSeedHttpOptions> = {}): SeedPeer {
  const http = webSeedsOnDemand({ clock: systemClock }, { policy: OPEN, ...options });
  return new SeedPeer({ clock: systemClock, http }, torrent, url);
}

/** Asks for all of the torrent and waits for it, or for the end; then hangs up. */
async function download(peer: SeedPeer): Promise<void> {
  await peer.unchoked();
  const blocks = blocksOf(peer.torrent.info);
  peer.request(blocks);
  await peer.until(() => peer.recorded.blocks.length === blocks.length);
}

async function withServer(
  respond: Respond | undefined,
  run: (server: WebSeedServer) => Promise<void>,
  files: Readonly<Record<string, Uint8Array>> = { '/f.bin': FILE },
): Promise<void> {
  const server = await startWebSeedServer({ files, ...(respond ? { respond } : {}) });
  try {
    await run(server);
  } finally {
    await server.close();
  }
}

const whole = { right: blocksOf(SINGLE.info).length, wrong: [] };

void t.test('a file in one range, asked as it should be', async (t) => {
  await withServer(undefined, async (server) => {
    const peer = dial(`${server.origin}/f.bin`);
    await download(peer);
    t.same(peer.count(), whole);
    t.equal(server.requests.length, 1);
    t.match(server.requests[0], {
      path: '/f.bin',
      range: { first: 0, last: FILE.length - 1 },
      headers: { 'user-agent': 'Swarmd/test', 'accept-encoding': 'identity', host: `127.0.0.1:${server.port}` },
    });
    t.notOk('authorization' in server.requests[0]!.headers);
    peer.socket.destroy();
  });
});

void t.test('request after request over one connection; credentials of the URL go with them', async (t) => {
  await withServer(undefined, async (server) => {
    const peer = dial(`http://me:p%40ss@127.0.0.1:${server.port}/`);
    await peer.unchoked();
    const pieces = [5, 1, 3, 0];
    for (const [index, piece] of pieces.entries()) {
      peer.request(blocksOf(SINGLE.info, piece, piece));
      await peer.until(() => peer.recorded.blocks.length === (index + 1) * 4);
    }
    t.same(peer.count(), { right: 16, wrong: [] });
    t.same(
      server.requests.map(({ range }) => (range?.first ?? 0) / (64 * KIB)),
      pieces,
    );
    t.same(new Set(server.requests.map(({ connection }) => connection)), new Set([1]));
    t.equal(server.requests[3]?.headers.authorization, `Basic ${Buffer.from('me:p@ss').toString('base64')}`);
    peer.socket.destroy();
  });
});

void t.test('never more than 16 MiB at once', async (t) => {
  const file = new Uint8Array(20 * 1024 * KIB).fill(7);
  const torrent = seededTorrent({ name: 'f.bin', pieceLength: 1024 * KIB, files: file });
  await withServer(
    undefined,
    async (server) => {
      const peer = dial(`${server.origin}/f.bin`, torrent);
      await download(peer);
      t.same(peer.count(), { right: 1_280, wrong: [] });
      t.same(
        server.requests.map(({ range }) => range && [range.first, range.last]),
        [
          [0, 16 * 1024 * KIB - 1],
          [16 * 1024 * KIB, 20 * 1024 * KIB - 1],
        ],
      );
      peer.socket.destroy();
    },
    { '/f.bin': file },
  );
});

void t.test('many files: ranges over their borders, pads, empty ones, and names that need encoding', async (t) => {
  const files = [
    { path: ['ä b', '1 #%.txt'], bytes: seededBytes(1, 100_000) },
    { path: ['empty'], bytes: new Uint8Array(0) },
    { path: ['2'], bytes: seededBytes(2, 3) },
    { path: ['3'], bytes: seededBytes(3, 40_000) },
  ];
  const onServer = {
    '/pub/The%20Name/%C3%A4%20b/1%20%23%25.txt': files[0]!.bytes,
    '/pub/The%20Name/2': files[2]!.bytes,
    '/pub/The%20Name/3': files[3]!.bytes,
  };
  for (const padFiles of [false, true]) {
    const torrent = seededTorrent({ name: 'The Name', pieceLength: 32 * KIB, files, padFiles });
    await withServer(
      undefined,
      async (server) => {
        const peer = dial(`${server.origin}/pub`, torrent);
        await download(peer);
        t.same(peer.count(), { right: blocksOf(torrent.info).length, wrong: [] }, `pads: ${padFiles}`);
        t.same(
          server.requests.map(({ path, range }) => [path, range?.first]),
          Object.keys(onServer).map((path) => [path, 0]),
        );
        peer.socket.destroy();
      },
      onServer,
    );
  }
});

void t.test('docs/limits.md 2.24: what is not the range closes the seed, and says why', async (t) => {
  const cases = {
    wholeFile: { why: /^HTTP status 200 for a part of the file$/ },
    shortBody: { why: /^(body shorter than the range|connection closed|connection reset)$/ },
    shortChunked: { why: /^body ended 1 bytes too early$/ },
    longBody: { why: /^body of "65537" bytes instead of 65536$/ },
    longChunked: { why: /^body longer than the range$/ },
    shiftedRange: { why: /^asked for bytes 65536-131071, was given "bytes 65537-131072\/500001"$/ },
    otherTotal: { why: /was given "bytes 65536-131071\/500001"$/ },
    noContentRange: { why: /was given nothing$/ },
    gzip: { why: /^content encoding "gzip"$/ },
    endless: { why: /^body longer than the range$/ },
    hugeHeaders: { why: /^headers too large$/ },
    reset: { why: /^(connection reset|connection closed)$/ },
  } satisfies Partial<Record<keyof typeof MISBEHAVIOURS, { why: RegExp }>>;
  for (const [name, { why }] of Object.entries(cases)) {
    const respond = MISBEHAVIOURS[name as keyof typeof cases];
    await withServer(respond, async (server) => {
      const peer = dial(`${server.origin}/f.bin`);
      await peer.unchoked();
      const blocks = blocksOf(SINGLE.info, 1, 1);
      peer.request(blocks);
      await peer.until(() => false);
      t.match(peer.closeReason ?? '', why, name);
      t.same(peer.count().wrong, [], `${name}: nothing wrong was delivered`);
      const before = { reset: 2, shortBody: 3, shortChunked: 3, longChunked: 4, endless: 4 }[name] ?? 0;
      t.ok(peer.count().right <= before, `${name}: ${peer.count().right} blocks`);
      t.equal(peer.recorded.closes.length, 1);
      t.same(webSeedOutcome('SOCKET_CLOSED', peer.closeReason ?? ''), { kind: 'failed' });
    });
  }
});

void t.test('all of a file may come with status 200', async (t) => {
  await withServer(MISBEHAVIOURS.wholeFile, async (server) => {
    const peer = dial(`${server.origin}/f.bin`);
    await download(peer);
    t.same(peer.count(), whole);
    peer.socket.destroy();
  });
  await withServer(
    MISBEHAVIOURS.wholeFile,
    async (server) => {
      const peer = dial(`${server.origin}/f.bin`);
      await download(peer);
      t.match(peer.closeReason ?? '', /^body of "499999" bytes instead of 500000$/);
    },
    { '/f.bin': FILE.subarray(1) },
  );
});

void t.test('statuses: gone, unsatisfiable, broken; 503 and 429 may ask for patience', async (t) => {
  const inTwoMinutes = (): string => new Date(Date.now() + 120_000).toUTCString();
  const cases = [
    { respond: status(404), reason: /^HTTP status 404$/, outcome: { kind: 'failed' } },
    { respond: status(416, { 'content-range': 'bytes */1' }), reason: /416/, outcome: { kind: 'failed' } },
    { respond: status(500, { 'retry-after': '9' }), reason: /500/, outcome: { kind: 'failed' } },
    { respond: status(503), reason: /503/, outcome: { kind: 'failed' } },
    { respond: status(503, { 'retry-after': '77' }), reason: /503/, outcome: { kind: 'retry-after', seconds: 77 } },
    { respond: status(429, { 'retry-after': '5' }), reason: /429/, outcome: { kind: 'retry-after', seconds: 5 } },
  ];
  for (const { respond, reason, outcome } of cases) {
    await withServer(respond, async (server) => {
      const peer = dial(`${server.origin}/f.bin`);
      await download(peer);
      t.match(peer.closeReason ?? '', reason);
      t.same(webSeedOutcome('SOCKET_CLOSED', peer.closeReason ?? ''), outcome, peer.closeReason ?? '');
    });
  }
  await withServer(status(503, { 'retry-after': inTwoMinutes() }), async (server) => {
    const peer = dial(`${server.origin}/f.bin`);
    await download(peer);
    const outcome = webSeedOutcome('SOCKET_CLOSED', peer.closeReason ?? '');
    t.ok(outcome.kind === 'retry-after' && outcome.seconds > 100 && outcome.seconds <= 121, peer.closeReason ?? '');
  });
});

void t.test('interim responses without an end', async (t) => {
  const respond: Respond = ({ response: { socket } }) => {
    socket?.on('error', () => undefined);
    socket?.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(5_000));
    return true;
  };
  await withServer(respond, async (server) => {
    const peer = dial(`${server.origin}/f.bin`);
    await download(peer);
    t.equal(peer.closeReason, 'more than 10 interim responses');
  });
});

void t.test('nobody there, and no such name', async (t) => {
  const server = await startWebSeedServer({ files: {} });
  await server.close();
  const refused = dial(`${server.origin}/f.bin`);
  await download(refused);
  t.equal(refused.closeReason, 'connection refused');
  const lookup: LookupFunction = (_host, _options, callback) =>
    callback(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }), '', 0);
  const unanswered = dial('http://nowhere.example/f.bin', SINGLE, { names: namesFrom(() => undefined) });
  await unanswered.unchoked();
  const blocks = blocksOf(SINGLE.info, 0, 0);
  unanswered.request(blocks);
  await new Promise((resolve) => setTimeout(resolve, 20));
  unanswered.cancel(blocks);
  await unanswered.until(() => unanswered.rejects().length === blocks.length);
  unanswered.socket.destroy();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const nameless = dial('http://nowhere.example/f.bin', SINGLE, { names: namesFrom(lookup) });
  await download(nameless);
  t.equal(nameless.closeReason, 'host name not found');
});

void t.test('redirects: five are followed with the range, not six, nor to another kind of URL', async (t) => {
  const chain =
    (length: number): Respond =>
    (exchange) => {
      const step = Number(/^\/step(\d+)/.exec(exchange.path)?.[1] ?? 0);
      const location = step + 1 === length ? '/f.bin' : `/step${step + 1}`;
      if (exchange.path === '/f.bin') return false;
      exchange.response.writeHead([301, 302, 303, 307, 308][step % 5]!, { location }).end('moved');
      return true;
    };
  await withServer(chain(5), async (server) => {
    const peer = dial(`${server.origin}/step0`);
    await download(peer);
    t.same(peer.count(), whole);
    t.ok(server.requests.every(({ headers }) => headers.range === 'bytes=0-499999'));
    t.same(new Set(server.requests.map(({ connection }) => connection)), new Set([1]), 'over one connection');
    peer.socket.destroy();
  });
  await withServer(chain(1_000), async (server) => {
    const peer = dial(`${server.origin}/step0`);
    await download(peer);
    t.equal(peer.closeReason, 'more than 5 redirects');
    t.equal(server.requests.length, 6);
  });
  const wordy: Respond = ({ path, response }) => {
    if (path !== '/wordy') return false;
    response.writeHead(302, { location: '/f.bin' }).end(Buffer.alloc(5_000_000, 'moved '));
    return true;
  };
  await withServer(wordy, async (server) => {
    const peer = dial(`${server.origin}/wordy`);
    await download(peer);
    t.same(peer.count(), whole, 'a redirect may say much, but nobody reads it all');
    peer.socket.destroy();
  });
  for (const location of ['ftp://127.0.0.1/f.bin', 'file:///etc/passwd', 'http://', 'javascript:0']) {
    await withServer(status(302, { location }), async (server) => {
      const peer = dial(`${server.origin}/f.bin`);
      await download(peer);
      t.match(peer.closeReason ?? '', /^redirect to no (HTTP )?URL$/, location);
    });
  }
});

void t.test('credentials do not follow a redirect to another server', async (t) => {
  await withServer(undefined, async (other) => {
    await withServer(status(302, { location: `${other.origin}/f.bin` }), async (server) => {
      const peer = dial(`http://me:secret@127.0.0.1:${server.port}/f.bin`);
      await download(peer);
      t.same(peer.count(), whole);
      t.ok(server.requests[0]?.headers.authorization);
      t.notOk('authorization' in other.requests[0]!.headers);
      peer.socket.destroy();
    });
  });
});

void t.test('HTTPS is verified, and does not give way to HTTP', async (t) => {
  const lookup: LookupFunction = (_host, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);
  let location = '';
  const server = await startWebSeedServer({
    files: { '/f.bin': FILE },
    https: true,
    respond: ({ path, response }) => {
      if (path !== '/moved') return false;
      response.writeHead(302, { location }).end();
      return true;
    },
  });
  await withServer(undefined, async (plain) => {
    location = `${plain.origin}/f.bin`;
    const trusting = { names: namesFrom(lookup), certificateAuthorities: [TEST_CERTIFICATE] };
    const good = dial(`${server.origin}/f.bin`, SINGLE, trusting);
    await download(good);
    t.same(good.count(), whole);
    good.socket.destroy();
    const wrongName = dial(`https://other.example:${server.port}/f.bin`, SINGLE, trusting);
    await download(wrongName);
    t.match(wrongName.closeReason ?? '', /ERR_TLS_CERT_ALTNAME_INVALID/);
    const stranger = dial(`${server.origin}/f.bin`, SINGLE, { names: namesFrom(lookup) });
    await download(stranger);
    t.match(stranger.closeReason ?? '', /SELF_SIGNED_CERT/);
    const downgraded = dial(`${server.origin}/moved`, SINGLE, trusting);
    await download(downgraded);
    t.equal(downgraded.closeReason, 'redirect from HTTPS to HTTP');
    t.equal(plain.requests.length, 0);
  });
  await server.close();
});

void t.test('docs/limits.md 2.22: torrents do not make us ask this machine', async (t) => {
  await withServer(undefined, async (canary) => {
    const lookup: LookupFunction = (_host, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const { port } = canary;
    for (const host of [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f.1',
      '[::ffff:127.0.0.1]',
      '[::1]',
      'evil.example',
    ]) {
      const peer = dial(`http://${host}:${port}/f.bin`, SINGLE, {
        names: namesFrom(lookup),
        policy: new AddressPolicy(),
      });
      await download(peer);
      t.equal(peer.closeReason, 'address not allowed', host);
    }
    const query = dial(`http://evil.example:${port}/f.bin?delete=all`, SINGLE, { names: namesFrom(lookup) });
    await download(query);
    t.equal(query.closeReason, 'a local web seed may not have a query');
    t.same(canary.requests, []);
  });
});

void t.test('a kept connection that the server ends as it is used is no failure', async (t) => {
  const respond: Respond = ({ index, response }) => {
    if (index === 1) response.socket?.destroy();
    return index === 1;
  };
  await withServer(respond, async (server) => {
    const peer = dial(`${server.origin}/f.bin`);
    await peer.unchoked();
    for (const piece of [0, 4]) {
      peer.request(blocksOf(SINGLE.info, piece, piece));
      await peer.until(() => peer.recorded.blocks.length === (piece === 0 ? 4 : 8));
    }
    t.same(peer.count(), { right: 8, wrong: [] });
    t.equal(server.requests.length, 3);
    peer.socket.destroy();
  });
  await withServer(
    ({ response }) => response.socket?.destroy() !== undefined,
    async (server) => {
      const peer = dial(`${server.origin}/f.bin`);
      await download(peer);
      t.match(peer.closeReason ?? '', /^connection (closed|reset)$/);
      t.equal(server.requests.length, 1, 'a new one that ends is a failure at once');
    },
  );
});

void t.test('cancelling everything ends the request at the server; the seed goes on', async (t) => {
  const slow: Respond = (exchange) => {
    if (exchange.index > 0) return false;
    exchange.response.writeHead(206, {
      'content-length': exchange.part.length,
      'content-range': `bytes 0-${FILE.length - 1}/${FILE.length}`,
    });
    exchange.response.write(exchange.part.subarray(0, 20_000));
    return true;
  };
  await withServer(slow, async (server) => {
    const peer = dial(`${server.origin}/f.bin`);
    await peer.unchoked();
    const blocks = blocksOf(SINGLE.info);
    peer.request(blocks);
    await peer.until(() => peer.recorded.blocks.length === 1);
    peer.cancel(blocks.slice(1));
    await peer.until(() => peer.rejects().length === blocks.length - 1);
    peer.request(blocks.slice(1));
    await peer.until(() => peer.recorded.blocks.length === blocks.length);
    t.same(peer.count(), whole);
    t.equal(server.abortedResponses, 1);
    t.equal(peer.recorded.closes.length, 0);
    peer.socket.destroy();
  });
});

void t.test('a pause reaches the server: it cannot send on', async (t) => {
  const size = 16 * 1024 * KIB;
  const file = new Uint8Array(size).fill(3);
  const torrent = seededTorrent({ name: 'f.bin', pieceLength: 1024 * KIB, files: file });
  let written = 0;
  const respond: Respond = ({ response, part, range }) => {
    response.writeHead(206, {
      'content-length': part.length,
      'content-range': `bytes ${range?.first}-${range?.last}/${size}`,
    });
    const more = (): void => {
      while (written < part.length) {
        const end = Math.min(part.length, written + 65_536);
        const hasRoom = response.write(part.subarray(written, end));
        written = end;
        if (!hasRoom) return;
      }
      response.end();
    };
    response.on('drain', more);
    more();
    return true;
  };
  await withServer(
    respond,
    async (server) => {
      const peer = dial(`${server.origin}/f.bin`, torrent);
      await peer.unchoked();
      peer.request(blocksOf(torrent.info));
      await peer.until(() => peer.recorded.blocks.length === 4);
      peer.socket.pauseReading();
      const blocksAtPause = peer.recorded.blocks.length;
      // Until the kernel's buffers are full: what is sent stops growing.
      for (let before = -1; before !== written;) {
        before = written;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      t.ok(written < size, `${written} of ${size} bytes were sent`);
      t.equal(peer.recorded.blocks.length, blocksAtPause);
      peer.socket.resumeReading();
      await peer.until(() => peer.recorded.blocks.length === 1_024);
      t.same(peer.count(), { right: 1_024, wrong: [] });
      peer.socket.destroy();
    },
    { '/f.bin': file },
  );
});

void t.test('destroy in the middle ends the request at the server', async (t) => {
  await withServer(MISBEHAVIOURS.silent, async (server) => {
    const peer = dial(`${server.origin}/f.bin`);
    await peer.unchoked();
    peer.request(blocksOf(SINGLE.info));
    for (let i = 0; i < 100 && server.requests.length === 0; i++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    t.equal(server.requests.length, 1);
    peer.recorded.connection.close('TORRENT_STOPPED');
    for (let i = 0; i < 100 && server.abortedResponses === 0; i++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    t.equal(server.abortedResponses, 1);
  });
});

void t.test('the helper itself answers ranges', async (t) => {
  await withServer(
    (exchange) => {
      answer(exchange);
      return true;
    },
    async (server) => {
      const response = await fetch(`${server.origin}/f.bin`, { headers: { range: 'bytes=10-19' } });
      t.equal(response.status, 206);
      t.same(Buffer.from(await response.arrayBuffer()), Buffer.from(FILE.subarray(10, 20)));
    },
  );
});
