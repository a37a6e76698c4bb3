// Outbound fetches over real sockets of 127.0.0.0/8 (docs/limits.md 2.22): a canary on 127.0.0.1 that nobody may reach,
// and servers that are allowed to be reached and behave well or badly.
import { X509Certificate } from 'node:crypto';
import { createServer, type AddressInfo, type LookupFunction } from 'node:net';
import t from 'tap';
import { namesFrom } from '../../support/names.js';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { Egress, type EgressOptions } from '../../../api/egress/egress.js';
import { cidrs } from '../../../api/cli/option-values.js';
import { parseAccountId } from '../../../shared-protocol/ids.js';
import { AddressPolicy } from '../../../shared-protocol/address-policy.js';
import type { Caller } from '../../../shared-protocol/names/name-resolver.js';
import { startUpstream, type Respond, type UpstreamOptions } from '../../support/upstream.js';
import { TEST_CERTIFICATE } from '../../support/tls-fixture.js';

const LOOPBACK = { policy: new AddressPolicy(cidrs('127.0.0.0/8')) };
const KIB = 1024;
const PLAIN = { caller: null, headers: {}, method: 'GET', maxBytes: KIB, timeoutMs: 10_000 };
const PRIVATE_NAMES: Readonly<Record<string, string>> = {
  'loopback.example': '127.0.0.1',
  'lan.example': '10.0.0.1',
  'metadata.example': '169.254.169.254',
  'mapped.example': '::ffff:127.0.0.1',
  'nat64.example': '64:ff9b::7f00:1',
  'unspecified.example': '0.0.0.0',
};

interface Tap {
  teardown(handler: () => Promise<void>): void;
}

async function upstream(t: Tap, respond: Respond, options: UpstreamOptions = {}) {
  const server = await startUpstream(respond, options);
  t.teardown(() => server.close());
  return server;
}

/** Answers each question for a name with the next of its answers, the last one from then on; counts. */
function stubLookup(answers: Readonly<Record<string, readonly string[]>>) {
  const asked: string[] = [];
  const lookup: LookupFunction = (name, _options, callback) => {
    const all = answers[name];
    const nth = asked.filter((other) => other === name).length;
    asked.push(name);
    const address = all?.[Math.min(nth, all.length - 1)];
    if (address === undefined) callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), '', 0);
    else callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
  };
  return { lookup, asked };
}

const refused = (url: string, options: Partial<EgressOptions>) =>
  new Egress(options).fetch(url, { caller: null, maxBytes: KIB }).then(
    () => 'fetched',
    (error: { code?: string }) => error.code,
  );

function hostileUrls(port: number): string[] {
  const hosts = [
    ...['127.0.0.1', '127.1', '127.0.1', '2130706433', '0x7f.1', '0x7f000001', '0177.0.0.1', '017700000001'],
    ...['127.0.0.1.', '127.0.0.2', '127.255.255.254', 'localhost', 'LocalHost', 'localhost.', 'a.localhost'],
    ...['0', '0.0.0.0', '[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:7f00:1]'],
    ...['[::127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]'],
    ...['[fe80::1]', '[fc00::1]', '[fd00:ec2::254]', '[fec0::1]', '[ff02::1]', '[2001:db8::1]'],
    ...['①②⑦.⓪.⓪.①', '127。0。0。1', '%31%32%37.0.0.1', 'user:pw@127.0.0.1', 'a.example@127.0.0.1'],
    ...['10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', '169.254.1.1', '169.254.169.254', '2852039166'],
    ...['198.18.0.1', '192.0.2.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', ...Object.keys(PRIVATE_NAMES)],
  ];
  const schemes = [
    'ftp://127.0.0.1',
    'file:///etc/passwd',
    'gopher://127.0.0.1',
    'data:,x',
    '//127.0.0.1',
    '127.0.0.1',
  ];
  return [
    ...hosts.map((host) => `http://${host}:${port}/`),
    ...schemes,
    `http:\\\\127.0.0.1:${port}/`,
    `http:127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}#@a.example/`,
    `https://127.0.0.1:${port}/`,
  ];
}

void t.test('nothing that is not public is reached, however it is written', async (t) => {
  const canary = await upstream(t, (_request, response) => response.end('secret'), { host: '127.0.0.1' });
  const { lookup } = stubLookup(Object.fromEntries(Object.entries(PRIVATE_NAMES).map(([name, ip]) => [name, [ip]])));
  const urls = hostileUrls(canary.port);
  t.ok(urls.length >= 40, `${urls.length} URLs`);
  for (const url of urls) {
    t.equal(await refused(url, { names: namesFrom(lookup) }), 'FETCH_REFUSED', url);
    await t.rejects(
      new Egress({ names: namesFrom(lookup) }).check(url, 'url', null),
      { code: 'URL_REFUSED', message: /^url: / },
      url,
    );
  }
  t.equal(canary.connections, 0, 'the canary was never connected to');
});

void t.test('instance metadata is not reached even when everything is allowed', async (t) => {
  const { lookup } = stubLookup({ 'metadata.example': ['169.254.169.254'] });
  const options = { names: namesFrom(lookup), policy: new AddressPolicy(cidrs('0.0.0.0/0,::/0')) };
  for (const host of ['169.254.169.254', '0xa9fea9fe', '[::ffff:169.254.169.254]', 'metadata.example']) {
    t.equal(await refused(`http://${host}/latest/meta-data/`, options), 'FETCH_REFUSED', host);
  }
});

void t.test('a name is resolved once: what it says later does not matter', async (t) => {
  const canary = await upstream(t, (_request, response) => response.end('secret'), { host: '127.0.0.1' });
  const good = await upstream(t, (_request, response) => response.end('good'), {
    host: '127.0.0.2',
    port: canary.port,
  });
  const { lookup, asked } = stubLookup({ 'flip.example': ['127.0.0.2', '127.0.0.1'] });
  const egress = new Egress({ names: namesFrom(lookup), policy: new AddressPolicy(cidrs('127.0.0.2/32')) });
  const url = `http://flip.example:${canary.port}/`;
  t.match(await egress.fetch(url, { caller: null, maxBytes: KIB }), { kind: 'body', bytes: Buffer.from('good') });
  t.same(asked, ['flip.example']);
  t.equal(good.requests[0]?.headers.host, `flip.example:${canary.port}`);
  await t.rejects(
    egress.fetch(url, { caller: null, maxBytes: KIB }),
    { code: 'FETCH_REFUSED' },
    'the next fetch judges anew',
  );
  t.equal(canary.connections, 0);
});

void t.test('of several addresses only those are used that may be', async (t) => {
  const canary = await upstream(t, (_request, response) => response.end('secret'), { host: '127.0.0.1' });
  await upstream(t, (_request, response) => response.end('good'), { host: '127.0.0.2', port: canary.port });
  const lookup: LookupFunction = (_name, _options, callback) =>
    callback(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
    ]);
  const egress = new Egress({ names: namesFrom(lookup), policy: new AddressPolicy(cidrs('127.0.0.2/32')) });
  t.match(await egress.fetch(`http://both.example:${canary.port}/`, { caller: null, maxBytes: KIB }), {
    bytes: Buffer.from('good'),
  });
  t.equal(canary.connections, 0);
});

void t.test('every redirect is judged like the first URL', async (t) => {
  const canary = await upstream(t, (_request, response) => response.end('secret'), { host: '127.0.0.1' });
  let location = '';
  const redirecting = await upstream(
    t,
    (_request, response) => response.writeHead(302, { location: Buffer.from(location).toString('latin1') }).end(),
    { host: '127.0.0.2' },
  );
  const { lookup } = stubLookup({ 'loopback.example': ['127.0.0.1'] });
  const egress = new Egress({ names: namesFrom(lookup), policy: new AddressPolicy(cidrs('127.0.0.2/32')) });
  const { port } = canary;
  for (location of [
    ...[`http://127.0.0.1:${port}/`, `//127.0.0.1:${port}/`, `http://localhost:${port}/`, `http://[::1]:${port}/`],
    ...[`http://2130706433:${port}/`, `http://loopback.example:${port}/`, `https://127.0.0.1:${port}/`],
    ...['file:///etc/passwd', 'ftp://127.0.0.1/', 'http://169.254.169.254/', 'http://', '/again'],
  ]) {
    await t.rejects(
      egress.fetch(`${redirecting.origin}/`, { caller: null, maxBytes: KIB }),
      { code: 'FETCH_REFUSED' },
      location,
    );
  }
  t.equal(canary.connections, 0);
});

void t.test('five redirects are followed, each over a connection of its own; six are not', async (t) => {
  const server = await upstream(t, ({ url }, response) => {
    const left = Number(url?.slice(1));
    if (left === 0) return response.end('there');
    return response.writeHead(307, { location: `/${left - 1}` }).end();
  });
  const egress = new Egress(LOOPBACK);
  t.match(await egress.fetch(`${server.origin}/5`, { caller: null, maxBytes: KIB }), { bytes: Buffer.from('there') });
  t.equal(server.connections, 6);
  await t.rejects(egress.fetch(`${server.origin}/6`, { caller: null, maxBytes: KIB }), {
    code: 'FETCH_REFUSED',
    message: 'more than 5 redirects',
  });
});

void t.test('a redirect to a magnet is handed back', async (t) => {
  const uri = `magnet:?xt=urn:btih:${'a'.repeat(40)}`;
  const server = await upstream(t, (_request, response) => response.writeHead(302, { location: uri }).end());
  const egress = new Egress(LOOPBACK);
  t.same(await egress.fetch(server.origin, { caller: null, maxBytes: KIB }), { kind: 'magnet', uri });
  await t.rejects(
    egress.read(server.origin, { caller: null, maxBytes: KIB }, async () => 'read'),
    { code: 'FETCH_REFUSED' },
  );
});

void t.test('credentials of the URL go to its origin only, and come back with it', async (t) => {
  const seen: (string | undefined)[] = [];
  const other = await upstream(
    t,
    ({ headers }, response) => {
      seen.push(headers.authorization);
      response.writeHead(302, { location: `${first.origin}/back` }).end();
    },
    { host: '127.0.0.2' },
  );
  const first = await upstream(t, ({ url, headers }, response) => {
    seen.push(headers.authorization);
    if (url === '/start') return response.writeHead(302, { location: '/same' }).end();
    if (url === '/same') return response.writeHead(302, { location: `http://x:y@127.0.0.2:${other.port}/` }).end();
    return response.end('done');
  });
  const url = `http://me:secret@127.0.0.1:${first.port}/start`;
  await new Egress(LOOPBACK).fetch(url, { caller: null, maxBytes: KIB });
  const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`;
  t.same(seen, [basic, basic, undefined, basic]);
});

void t.test('TLS is verified, and https does not lead to http', async (t) => {
  const plain = await upstream(t, (_request, response) => response.end('plain'));
  const secure = await upstream(
    t,
    ({ url }, response) =>
      url === '/down' ? response.writeHead(302, { location: plain.origin }).end() : response.end('secure'),
    { https: true },
  );
  const trusting = new Egress({ ...LOOPBACK, certificateAuthorities: [TEST_CERTIFICATE] });
  const url = `https://localhost:${secure.port}`;
  t.match(await trusting.fetch(`${url}/`, { caller: null, maxBytes: KIB }), { bytes: Buffer.from('secure') });
  const invalid = { code: 'FETCH_FAILED', message: 'the certificate or TLS of the server is not valid' };
  await t.rejects(new Egress(LOOPBACK).fetch(`${url}/`, { caller: null, maxBytes: KIB }), invalid, 'self-signed');
  await t.rejects(
    trusting.fetch(`https://127.0.0.1:${secure.port}/`, { caller: null, maxBytes: KIB }),
    invalid,
    'another name',
  );
  await t.rejects(trusting.fetch(`${url}/down`, { caller: null, maxBytes: KIB }), { code: 'FETCH_REFUSED' });
  t.equal(plain.connections, 0);
});

void t.test('bodies arrive decompressed, and headers with them', async (t) => {
  const text = Buffer.from('hello '.repeat(1_000));
  const bodies: Record<string, [string, Buffer]> = {
    '/plain': ['identity', text],
    '/gzip': ['gzip', gzipSync(text)],
    '/deflate': ['deflate', deflateSync(text)],
    '/raw-deflate': ['deflate', deflateRawSync(text)],
    '/br': ['br', brotliCompressSync(text)],
    '/empty': ['gzip', Buffer.alloc(0)],
  };
  const server = await upstream(t, ({ url }, response) => {
    const [encoding, body] = bodies[url ?? ''] ?? ['', Buffer.alloc(0)];
    response.writeHead(200, { 'content-encoding': encoding, ETag: '"1"' }).end(body);
  });
  const egress = new Egress({ ...LOOPBACK, userAgent: 'swarmd/test' });
  for (const path of Object.keys(bodies)) {
    const fetched = await egress.fetch(`${server.origin}${path}`, {
      caller: null,
      maxBytes: 64 * KIB,
      headers: { 'x-asked': 'yes' },
    });
    t.equal(fetched.kind === 'body' && Buffer.from(fetched.bytes).equals(path === '/empty' ? Buffer.of() : text), true);
    t.match(fetched, { status: 200, headers: { etag: '"1"' } }, path);
  }
  t.match(server.requests[0]?.headers, { 'user-agent': 'swarmd/test', 'x-asked': 'yes', connection: 'close' });
});

void t.test('a body may be as large as the cap and not a byte larger, compressed or not', async (t) => {
  const cap = 10 * KIB;
  let ended = (): void => undefined;
  const endlessEnded = new Promise<void>((resolve) => (ended = resolve));
  const server = await upstream(t, ({ url }, response) => {
    if (url === '/exact') return response.end(Buffer.alloc(cap));
    if (url === '/more') return response.end(Buffer.alloc(cap + 1));
    if (url === '/exact.gz')
      return response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(cap)));
    if (url === '/bomb.gz') {
      return response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(64 * KIB * KIB)));
    }
    if (url === '/bomb.br') {
      return response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(Buffer.alloc(8 * KIB * KIB)));
    }
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * KIB)));
    };
    response.on('drain', more).on('close', ended);
    return more();
  });
  const egress = new Egress(LOOPBACK);
  const lengthOf = async (path: string) => {
    const fetched = await egress.fetch(`${server.origin}${path}`, { caller: null, maxBytes: cap });
    return fetched.kind === 'body' && fetched.bytes.length;
  };
  t.equal(await lengthOf('/exact'), cap);
  t.equal(await lengthOf('/exact.gz'), cap);
  const tooLarge = { code: 'FETCH_FAILED', message: `larger than ${cap} bytes` };
  for (const path of ['/more', '/bomb.gz', '/bomb.br', '/endless']) await t.rejects(lengthOf(path), tooLarge, path);
  await t.resolves(endlessEnded, 'the endless answer was ended');
});

void t.test('a server that says more beside its answer than in it is left', async (t) => {
  const taken = { '/interim': 0, '/early': 0, '/chunks': 0 };
  const texts = {
    '/interim': 'HTTP/1.1 100 Continue\r\n\r\n',
    '/early': 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n',
    '/chunks': '1\r\nx\r\n',
  };
  const server = await upstream(t, ({ url, socket }) => {
    const path = url as keyof typeof texts;
    socket.on('error', () => undefined);
    if (path === '/chunks') socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    const block = Buffer.from(texts[path].repeat(1_000));
    const more = (): void => {
      taken[path] += block.length;
      if (!socket.destroyed) socket.write(block, more);
    };
    more();
  });
  const egress = new Egress(LOOPBACK);
  for (const [path, message] of Object.entries({
    '/interim': 'too many interim responses',
    '/early': 'too many interim responses',
    '/chunks': 'the chunks of the body are too small',
  })) {
    const fetching = egress.fetch(`${server.origin}${path}`, { caller: null, maxBytes: 10 * KIB * KIB });
    await t.rejects(fetching, { code: 'FETCH_FAILED', message }, path);
    t.ok(taken[path as keyof typeof taken] < 16 * KIB * KIB, `${taken[path as keyof typeof taken]} bytes were taken`);
  }
});

void t.test('what is no success fails with its reason and without its address', async (t) => {
  const server = await upstream(t, ({ url, socket }, response) => {
    switch (url) {
      case '/404':
        return response.writeHead(404).end('gone');
      case '/304':
        return response.writeHead(304, { etag: '"2"' }).end();
      case '/headers':
        return response.writeHead(200, { 'x-much': 'x'.repeat(20 * KIB) }).end();
      case '/encoding':
        return response.writeHead(200, { 'content-encoding': 'zstd' }).end('x');
      case '/not-gzip':
        return response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain text');
      case '/short':
        response.writeHead(200, { 'content-length': '100' });
        return response.write('x', () => socket.destroy());
      case '/reset':
        return socket.resetAndDestroy();
      default:
        return socket.end('SSH-2.0-OpenSSH_9.2p1\r\n');
    }
  });
  const { lookup } = stubLookup({ 'closed.example': ['127.0.0.3'] });
  const egress = new Egress({ ...LOOPBACK, names: namesFrom(lookup) });
  const get = (url: string) => egress.fetch(url, { caller: null, maxBytes: KIB });
  t.match(await get(`${server.origin}/304`), { status: 304, headers: { etag: '"2"' }, bytes: Buffer.alloc(0) });
  for (const [path, message] of Object.entries({
    '/404': 'Download failed: HTTP 404',
    '/headers': 'headers too large',
    '/encoding': 'unknown content encoding',
    '/not-gzip': 'the body is not compressed as it says',
    '/short': /^connection closed$|^the body is shorter/,
    '/reset': /^connection (closed|reset)$/,
    '/ssh': 'not an HTTP answer',
  })) {
    await t.rejects(get(`${server.origin}${path}`), { code: 'FETCH_FAILED', message }, path);
  }
  const failed = { code: 'FETCH_FAILED' };
  await t.rejects(get(`http://closed.example:${server.port}/`), { ...failed, message: 'connection refused' });
  await t.rejects(get('http://missing.example/'), { ...failed, message: 'host name not found' });
});

void t.test(
  'a server that hangs up while its answer waits to be read brings nobody down (nodejs/undici#5360)',
  async (t) => {
    for (const size of [65_537, 70_000, 100_000, 1_000_000]) {
      // Around what such a parser reads before it waits for its reader.
      const server = createServer((socket) =>
        socket.once('data', () => {
          socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\nConnection: close\r\n\r\n`);
          socket.end(Buffer.alloc(size));
        }),
      );
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      t.teardown(() => server.close());
      const { port } = server.address() as AddressInfo;
      const egress = new Egress(LOOPBACK);
      const read = egress.read(`http://127.0.0.1:${port}/`, { caller: null, maxBytes: 2 * size }, async (body) => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        let length = 0;
        for await (const chunk of body) length += chunk.length;
        return length;
      });
      t.equal(await read, size);
    }
  },
);

void t.test('the time is for all of it, also while a body trickles', async (t) => {
  const timers = new Set<NodeJS.Timeout>();
  t.teardown(() => timers.forEach((timer) => clearInterval(timer)));
  const server = await upstream(t, ({ url }, response) => {
    if (url === '/silent') return;
    response.writeHead(200, url === '/trickle.gz' ? { 'content-encoding': 'gzip' } : {});
    const bytes = url === '/trickle.gz' ? gzipSync('a'.repeat(1_000)) : Buffer.alloc(100_000);
    let at = 0;
    timers.add(setInterval(() => response.write(bytes.subarray(at, ++at)), 20));
  });
  const { lookup } = stubLookup({});
  const hanging: LookupFunction = (name, options, callback) => {
    if (name !== 'hanging.example') lookup(name, options, callback);
  };
  const egress = new Egress({ ...LOOPBACK, names: namesFrom(hanging) });
  for (const url of ['/silent', '/trickle', '/trickle.gz'].map((path) => `${server.origin}${path}`)) {
    await t.rejects(
      egress.fetch(url, { caller: null, maxBytes: KIB, timeoutMs: 200 }),
      { code: 'FETCH_FAILED', message: 'not complete within 0.2 s' },
      url,
    );
  }
  const hang = egress.fetch('http://hanging.example/', { caller: null, maxBytes: KIB, timeoutMs: 100 });
  await t.rejects(hang, { code: 'FETCH_FAILED' }, 'a name that is never resolved');
  const controller = new AbortController();
  const given = egress.fetch(`${server.origin}/silent`, { caller: null, maxBytes: KIB, signal: controller.signal });
  controller.abort();
  await t.rejects(given, { code: 'FETCH_FAILED', message: 'given up' });
});

void t.test('72 servers of one account that are silent leave the service and others their fetches', async (t) => {
  const server = await upstream(t, ({ url }, response) => {
    if (url !== '/silent') response.end('there');
  });
  const egress = new Egress(LOOPBACK);
  const [bob, alice] = [parseAccountId(2), parseAccountId(3)];
  const fetch = (path: string, caller: Caller, timeoutMs: number) =>
    egress.fetch(`${server.origin}${path}`, { caller, maxBytes: KIB, timeoutMs });
  const slow = Array.from({ length: 72 }, () => fetch('/silent', bob, 1_000).catch((error: Error) => error.message));
  t.equal(await slow[71], 'too many fetches at a time');
  for (const caller of [alice, null]) t.match(await fetch('/quick', caller, 20_000), { status: 200 });
  const reasons = await Promise.all(slow);
  t.equal(reasons.filter((reason) => reason === 'not complete within 1 s').length, 6, 'two asked, four in line');
  t.match(await fetch('/quick', bob, 20_000), { status: 200 });
});

void t.test('a check lets pass what is public, allowed, or cannot be told', async (t) => {
  const { lookup } = stubLookup({ 'public.example': ['93.184.216.34'], 'lan.example': ['10.0.0.1'] });
  const egress = new Egress({ names: namesFrom(lookup) });
  for (const url of ['https://public.example/x', 'http://missing.example/', 'https://93.184.216.34/list.gz']) {
    await t.resolves(egress.check(url, 'url', null), url);
  }
  await t.rejects(egress.check('http://lan.example/', 'url', null), {
    message: 'url: This URL points to a private address. Allow it with --fetch-allow.',
  });
  await t.resolves(
    new Egress({ names: namesFrom(lookup), policy: new AddressPolicy(cidrs('10.0.0.0/8')) }).check(
      'http://lan.example/',
      'url',
      null,
    ),
  );
  await t.resolves(new Egress({ names: namesFrom(lookup), ...LOOPBACK }).check('http://localhost:9/', 'url', null));
  const hanging = new Egress({ names: namesFrom(() => undefined), checkLookupMs: 20 });
  await t.resolves(hanging.check('http://hanging.example/', 'url', null), 'a name that nobody answers for');
});

void t.test('the one certificate that is known, before anything is sent', async (t) => {
  const server = await upstream(t, (request, response) => response.end(request.headers.authorization), { https: true });
  const known = new X509Certificate(TEST_CERTIFICATE).fingerprint256.replaceAll(':', '').toLowerCase();
  const ask = (certificate: string | null, path = '') =>
    new Egress(LOOPBACK).ask(`${server.origin}/${path}`, {
      ...{ caller: null, certificate, method: 'PUT', body: 'text', maxBytes: KIB, timeoutMs: 10_000 },
      headers: { authorization: 'Bearer key' },
    });
  t.match(await ask(known), { status: 200, bytes: Buffer.from('Bearer key') });
  t.equal(server.requests[0]?.method, 'PUT');
  const other = known.replace(/./, (digit) => (digit === '0' ? '1' : '0'));
  await t.rejects(ask(other), {
    code: 'FETCH_FAILED',
    message: 'the certificate of the server is not the one that is known',
  });
  await t.rejects(ask(null), { code: 'FETCH_FAILED', message: 'the certificate or TLS of the server is not valid' });
  t.equal(server.requests.length, 1, 'nobody else was sent the key');
  const plain = await upstream(t, (_request, response) => response.end());
  await t.rejects(new Egress().ask(plain.origin, { ...PLAIN, certificate: null }), { code: 'FETCH_REFUSED' });
  await t.rejects(new Egress().listen(plain.origin, { ...PLAIN, certificate: null }), { code: 'FETCH_REFUSED' });
  t.equal(plain.connections, 0, 'and no address inside was connected to');
});

void t.test('credentials follow no redirect, and no answer is larger than it may be', async (t) => {
  const elsewhere = await upstream(t, (_request, response) => response.end());
  const server = await upstream(t, ({ url }, response) => {
    if (url === '/large') response.end(Buffer.alloc(2 * KIB));
    else response.writeHead(302, { location: elsewhere.origin }).end();
  });
  const egress = new Egress(LOOPBACK);
  t.match(await egress.ask(`${server.origin}/`, { ...PLAIN, certificate: null }), { status: 302 });
  await t.rejects(egress.listen(`${server.origin}/`, { ...PLAIN, certificate: null }), {
    name: 'HandshakeRefused',
    status: 302,
  });
  await t.rejects(egress.ask(`${server.origin}/large`, { ...PLAIN, certificate: null }), { code: 'FETCH_FAILED' });
  t.equal(elsewhere.connections, 0);
});
