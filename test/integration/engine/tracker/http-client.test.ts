import t from 'tap';
import { namesFrom } from '../../../support/names.js';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { LookupFunction } from 'node:net';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { ADMIN_ACCOUNT_ID, parseInfoHash, parsePeerId } from '../../../../shared-protocol/ids.js';
import type { AnnounceOutcome, AnnounceRequest } from '../../../../engine/tracker/client.js';
import { createHttpTrackerClient, type HttpTrackerClientOptions } from '../../../../engine/tracker/http-client.js';
import { AddressPolicy, parseCidrs, type Standing } from '../../../../shared-protocol/address-policy.js';
import { refusing, startHttpTracker } from '../../../support/http-tracker.js';

type Respond = (request: IncomingMessage, response: ServerResponse) => boolean;

const INFO_HASH = parseInfoHash('00ff25262b20'.padEnd(40, '7e'));
const REPLY = Buffer.from('d8:intervali900e5:peers0:e');

function request(url: string, given: Partial<AnnounceRequest> = {}, peer = 1): AnnounceRequest {
  return {
    url,
    infoHash: INFO_HASH,
    event: 'started',
    figures: { uploaded: 0, downloaded: 0, left: 10, numWant: 50 },
    identity: { peerId: parsePeerId(`0${peer}`.repeat(20)), port: 6000 + peer, key: peer, userAgent: 'Swarmd/test' },
    account: ADMIN_ACCOUNT_ID,
    mayReachInside: true,
    trackerId: null,
    ...given,
  };
}

/** One announce to a tracker that behaves as told. */
async function announceTo(
  respond: Respond,
  options: Partial<HttpTrackerClientOptions> = {},
  event: AnnounceRequest['event'] = 'started',
): Promise<{ outcome: AnnounceOutcome; requests: readonly string[] }> {
  const tracker = await startHttpTracker({ respond });
  const client = createHttpTrackerClient(options);
  try {
    const outcome = await client.announce(request(tracker.announceUrl, { event }), new AbortController().signal);
    return { outcome, requests: tracker.requests };
  } finally {
    await client.close();
    await tracker.close();
  }
}

const body =
  (bytes: Uint8Array, headers: Record<string, string> = {}): Respond =>
  (_request, response) => {
    response.writeHead(200, headers).end(bytes);
    return true;
  };

void t.test('announce and scrape with a tracker that tracks', async (t) => {
  const tracker = await startHttpTracker({ intervalSec: 777 });
  const client = createHttpTrackerClient();
  const { signal } = new AbortController();
  const first = await client.announce(request(tracker.announceUrl), signal);
  t.match(first, { kind: 'answered', intervalSec: 777, peers: [], seeds: 0, leechers: 1 });
  const seed = { figures: { uploaded: 5, downloaded: 6, left: 0, numWant: 50 }, event: 'completed' as const };
  const second = await client.announce(request(tracker.announceUrl, seed, 2), signal);
  t.match(second, { peers: [{ host: '127.0.0.1', port: 6001 }], seeds: 1, leechers: 1, downloaded: 1 });
  t.match(tracker.announces[1], {
    infoHash: INFO_HASH,
    peerId: '02'.repeat(20),
    port: 6002,
    event: 'completed',
    uploaded: 5,
    downloaded: 6,
    left: 0,
    key: '00000002',
  });
  const unknown = parseInfoHash('ab'.repeat(20));
  const scrape = await client.scrape(
    {
      url: tracker.announceUrl,
      infoHashes: [unknown, INFO_HASH],
      account: ADMIN_ACCOUNT_ID,
      mayReachInside: true,
      identity: request('').identity,
    },
    signal,
  );
  t.equal(scrape.kind, 'scraped');
  if (scrape.kind === 'scraped') t.same([...scrape.files], [[INFO_HASH, { seeds: 1, leechers: 1, downloaded: 1 }]]);
  const stopped = await client.announce(request(tracker.announceUrl, { event: 'stopped' }), signal);
  t.match(stopped, { kind: 'answered', seeds: 1, leechers: 0 });
  await client.close();
  await tracker.close();
});

void t.test('gzip is understood; bombs, endless and oversized bodies end at 1 MiB', async (t) => {
  t.match((await announceTo(body(gzipSync(REPLY), { 'content-encoding': 'gzip' }))).outcome, { intervalSec: 900 });
  const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024));
  const tooLarge = { kind: 'failed', code: 'TRACKER_REPLY_TOO_LARGE' };
  const before = process.memoryUsage().rss;
  t.match((await announceTo(body(bomb, { 'content-encoding': 'gzip' }))).outcome, tooLarge, 'bomb');
  t.ok(process.memoryUsage().rss - before < 64 * 1024 * 1024, 'the bomb does not unfold in memory');
  t.match((await announceTo(body(Buffer.alloc(2 * 1024 * 1024)))).outcome, tooLarge, 'declared length');
  let sent = 0;
  const endless: Respond = (_request, response) => {
    response.writeHead(200);
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536;
    };
    response.on('drain', more);
    more();
    return true;
  };
  t.match((await announceTo(endless)).outcome, tooLarge, 'endless chunked');
  t.ok(sent < 64 * 1024 * 1024, `${sent} bytes were taken`);
  const liar = body(Buffer.from('no gzip'), { 'content-encoding': 'gzip' });
  t.match((await announceTo(liar)).outcome, { code: 'TRACKER_REPLY_INVALID' });
});

void t.test('a reply in chunks of a byte', async (t) => {
  const inBytes =
    (reply: Buffer): Respond =>
    (_request, { socket }) => {
      socket?.on('error', () => undefined);
      socket?.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const chunks = Array.from(reply, (byte) => `1\r\n${String.fromCharCode(byte)}\r\n`);
      socket?.write(`${chunks.join('')}0\r\n\r\n`);
      return true;
    };
  t.match((await announceTo(inBytes(REPLY))).outcome, { intervalSec: 900 }, 'a short one is taken');
  const { outcome } = await announceTo(inBytes(Buffer.alloc(1_000_000, 'd')));
  t.match(outcome, { code: 'TRACKER_REPLY_INVALID', message: /more than 10000 chunks, of less than 64 bytes each/ });
});

void t.test('interim responses before a reply', async (t) => {
  const early = (count: number): Respond => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(count);
    return (_request, { socket }) => {
      socket?.on('error', () => undefined);
      socket?.write(`${hints}HTTP/1.1 200 OK\r\nContent-Length: ${REPLY.length}\r\n\r\n${String(REPLY)}`);
      return true;
    };
  };
  t.match((await announceTo(early(3))).outcome, { intervalSec: 900 }, 'a few');
  const { outcome } = await announceTo(early(5_000));
  t.match(outcome, { code: 'TRACKER_REPLY_INVALID', message: 'more than 10 interim responses' });
});

void t.test('what is no reply is an outcome', async (t) => {
  t.match((await announceTo(body(Buffer.from('<html>parked</html>')))).outcome, { code: 'TRACKER_REPLY_INVALID' });
  t.match((await announceTo(body(Buffer.alloc(0)))).outcome, { code: 'TRACKER_REPLY_INVALID' });
  const missing: Respond = (_request, response) => {
    response.writeHead(404).end('d8:intervali1ee');
    return true;
  };
  t.match((await announceTo(missing)).outcome, { code: 'TRACKER_HTTP_STATUS', message: 'HTTP status 404' });
  const hangUp: Respond = (incoming) => {
    incoming.socket.destroy();
    return true;
  };
  t.match((await announceTo(hangUp)).outcome, { code: 'TRACKER_UNREACHABLE' });
});

void t.test('no HTTP at all, and nobody there', async (t) => {
  const server = createServer((socket) => void socket.resume().end('220 mail.example ESMTP\r\n')).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const client = createHttpTrackerClient();
  const announce = () => client.announce(request(`http://127.0.0.1:${port}/announce`), new AbortController().signal);
  t.match(await announce(), { kind: 'failed', code: 'TRACKER_REPLY_INVALID' });
  await new Promise((resolve) => server.close(resolve));
  t.match(await announce(), { code: 'TRACKER_UNREACHABLE', message: 'connection refused' });
  await client.close();
});

void t.test('silence, trickling and hanging end in time', async (t) => {
  const silent: Respond = () => true;
  const limits = { receiveTimeoutMs: 5000, completionTimeoutMs: 300, stopTimeoutMs: 100 };
  const started = performance.now();
  t.match((await announceTo(silent, limits)).outcome, { code: 'TRACKER_TIMEOUT' });
  const middle = performance.now();
  t.match((await announceTo(silent, limits, 'stopped')).outcome, { code: 'TRACKER_TIMEOUT' });
  t.ok(performance.now() - middle < middle - started, 'stopped has less time');
  const trickle: Respond = (_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('d'), 20);
    response.on('close', () => clearInterval(timer));
    return true;
  };
  t.match((await announceTo(trickle, limits)).outcome, { code: 'TRACKER_TIMEOUT' });
});

void t.test('an announce can be given up', async (t) => {
  const tracker = await startHttpTracker({ respond: () => true });
  const client = createHttpTrackerClient();
  const abort = new AbortController();
  const outcome = client.announce(request(tracker.announceUrl), abort.signal);
  setTimeout(() => abort.abort(), 50);
  t.match(await outcome, { kind: 'failed', code: 'TRACKER_ABORTED' });
  await client.close();
  await tracker.close();
});

void t.test('redirects: five are followed, not six, and never to another kind of URL', async (t) => {
  const chain =
    (length: number): Respond =>
    (incoming, response) => {
      const step = Number(/^\/announce(\d+)/.exec(incoming.url ?? '')?.[1] ?? 0);
      if (step === length) response.writeHead(200).end(REPLY);
      else response.writeHead([301, 302, 303, 307, 308][step % 5]!, { location: `/announce${step + 1}` }).end('moved');
      return true;
    };
  t.match((await announceTo(chain(5))).outcome, { kind: 'answered', intervalSec: 900 });
  const six = await announceTo(chain(6));
  t.match(six.outcome, { code: 'TRACKER_REFUSED', message: 'more than 5 redirects' });
  t.equal(six.requests.length, 6);
  for (const location of ['ftp://127.0.0.1/announce', 'file:///etc/passwd', 'http://']) {
    const to: Respond = (_request, response) => {
      response.writeHead(302, { location }).end();
      return true;
    };
    t.match((await announceTo(to)).outcome, { code: 'TRACKER_REFUSED' }, location);
  }
});

void t.test(
  'a torrent cannot make us ask this machine for anything but an announce (docs/limits.md 2.22)',
  async (t) => {
    const canary = await startHttpTracker();
    const { port } = canary;
    const lookup: LookupFunction = (_hostname, options, callback) => {
      if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
      else callback(null, '127.0.0.1', 4);
    };
    const client = createHttpTrackerClient({ names: namesFrom(lookup) });
    const announce = (url: string): Promise<AnnounceOutcome> =>
      client.announce(request(url), new AbortController().signal);
    const refused = [
      `http://127.0.0.1:${port}/admin`,
      `http://127.0.0.1:${port}/x/../admin/announce`,
      `http://2130706433:${port}/admin`,
      `http://0x7f.1:${port}/admin`,
      `http://0177.0.0.1:${port}/admin`,
      `http://0.0.0.0:${port}/admin`,
      `http://[::ffff:127.0.0.1]:${port}/admin`,
      `http://[::1]:${port}/admin`,
      `http://localhost:${port}/admin`,
      `http://localhost.:${port}/admin`,
      `http://evil.example:${port}/admin`,
      `http://evil.example:${port}/scrape`,
      'http://169.254.169.254/announce',
      'http://[::ffff:169.254.169.254]/announce',
    ];
    for (const url of refused) t.match(await announce(url), { kind: 'failed', code: 'TRACKER_REFUSED' }, url);
    t.same(canary.requests, [], 'nothing arrived');

    t.match(await announce(`http://evil.example:${port}/announce`), { kind: 'answered' }, 'an announce is harmless');
    t.match(
      await announce(`http://evil.example:${port}/admin`),
      { code: 'TRACKER_REFUSED' },
      'also over a kept connection',
    );
    const redirecting = await startHttpTracker({
      respond: (_request, response) => {
        response.writeHead(302, { location: `http://evil.example:${port}/admin` }).end();
        return true;
      },
    });
    t.match(await announce(redirecting.announceUrl), { code: 'TRACKER_REFUSED', message: 'address not allowed' });
    t.equal(canary.requests.length, 1);
    await client.close();
    await redirecting.close();
    await canary.close();
  },
);

void t.test('the address that was judged is the one connected to: a name is resolved once', async (t) => {
  const canary = await startHttpTracker();
  let lookups = 0;
  // A name that changes its mind: the address judged first, then one where nobody listens.
  const lookup: LookupFunction = (_hostname, _options, callback) => {
    lookups++;
    callback(null, [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }]);
  };
  const client = createHttpTrackerClient({ names: namesFrom(lookup) });
  const announce = (path: string) =>
    client.announce(request(`http://rebind.example:${canary.port}${path}`), new AbortController().signal);
  t.match(await announce('/announce'), { kind: 'answered' });
  t.equal(lookups, 1);
  t.match(await announce('/admin'), { code: 'TRACKER_REFUSED' });
  t.equal(lookups, 2, 'the strict pool resolves and judges for itself');
  t.equal(canary.requests.length, 1);
  await client.close();
  await canary.close();
});

void t.test('an announce ends at its limit, or when it is given up, though what it waits for never ends', async (t) => {
  const never = () => new Promise<never>(() => undefined);
  const url = 'http://silent.example/announce';
  const late = createHttpTrackerClient({ names: never, completionTimeoutMs: 50 });
  t.match(await late.announce(request(url), new AbortController().signal), { code: 'TRACKER_TIMEOUT' });
  await late.close();

  const client = createHttpTrackerClient({ names: never });
  const abort = new AbortController();
  const outcome = client.announce(request(url), abort.signal);
  abort.abort();
  t.match(await outcome, { code: 'TRACKER_ABORTED' });
  t.match(await client.announce(request(url), AbortSignal.abort()), { code: 'TRACKER_ABORTED' });
  await client.close();
});

void t.test('a tracker on the blocklist is not asked, by its address or by any name', async (t) => {
  const tracker = await startHttpTracker();
  const blocked = new Set(['127.0.0.1']);
  const lookup: LookupFunction = (_hostname, _options, callback) => {
    callback(null, [{ address: '127.0.0.1', family: 4 }]);
  };
  const client = createHttpTrackerClient({ names: namesFrom(lookup), isBlocked: (address) => blocked.has(address) });
  const { signal } = new AbortController();
  const named = tracker.announceUrl.replace('127.0.0.1', 'tracker.example');
  const refused = { kind: 'failed', code: 'TRACKER_REFUSED', message: 'address on the blocklist' };
  t.match(await client.announce(request(tracker.announceUrl), signal), refused);
  t.match(await client.announce(request(named), signal), refused);
  t.equal(tracker.requests.length, 0);
  blocked.clear();
  t.match(await client.announce(request(named), signal), { kind: 'answered' });
  await client.close();
  await tracker.close();
});

/** Hosts of tests as if they were elsewhere: 127.1.0.0/16 of the internet, the rest of loopback inside. */
class PretendedPolicy extends AddressPolicy {
  override standingOf(literal: string): Standing {
    return literal.startsWith('127.1.') ? 'public' : super.standingOf(literal);
  }

  override isThisMachine(): boolean {
    return false;
  }
}

void t.test('who may not reach inside hears the same whatever is there, also by redirects and rebinding', async (t) => {
  const canary = await startHttpTracker();
  const { port } = canary;
  const redirecting = createHttpServer((_request, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${port}/announce` }).end();
  });
  await new Promise<void>((resolve) => redirecting.listen(0, '127.1.0.1', resolve));
  const address = redirecting.address();
  const outside = `http://127.1.0.1:${typeof address === 'object' ? address?.port : 0}/announce`;
  let asked = 0;
  const lookup: LookupFunction = (_host, _options, callback) => {
    callback(null, [{ address: asked++ === 0 ? '127.1.0.9' : '127.0.0.1', family: 4 }]);
  };
  const client = createHttpTrackerClient({ policy: new PretendedPolicy(), names: namesFrom(lookup) });
  const announce = (url: string, mayReachInside: boolean): Promise<AnnounceOutcome> =>
    client.announce(request(url, { mayReachInside }), new AbortController().signal);
  const refused = { kind: 'failed', code: 'TRACKER_REFUSED', message: 'address not allowed' };
  for (const url of [canary.announceUrl, 'http://127.0.0.1:1/announce', 'http://10.0.0.1/', outside]) {
    t.same(await announce(url, false), refused, url);
  }
  t.same(await announce(outside, true), refused, 'nobody outside leads inside, whoever asks');
  t.match(await announce(`http://rebinding.example:${port}/announce`, false), { code: 'TRACKER_UNREACHABLE' });
  t.same(await announce(`http://rebinding.example:${port}/announce`, false), refused, 'the second time it is inside');
  t.same(canary.requests, []);
  t.match(await announce(canary.announceUrl, true), { kind: 'answered', isInside: true });
  await client.close();
  redirecting.close();
  await canary.close();
});

void t.test('what somebody inside answers is not repeated, unless inside is open to all', async (t) => {
  const tracker = await startHttpTracker({ respond: refusing('secret') });
  for (const [policy, message] of [
    [new AddressPolicy(), /^refused by the tracker; what it says is not shown/],
    [new AddressPolicy(parseCidrs(['127.0.0.1/32'])), 'secret'],
  ] as const) {
    const client = createHttpTrackerClient({ policy });
    const outcome = await client.announce(request(tracker.announceUrl), new AbortController().signal);
    t.match(outcome, { code: 'TRACKER_FAILURE', message });
    await client.close();
  }
  await tracker.close();
});
