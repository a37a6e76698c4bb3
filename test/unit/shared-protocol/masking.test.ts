// Passkeys do not reach viewers, and ordinary trackers stay as they are (docs/semantics.md section 6).
import fc from 'fast-check';
import t from 'tap';
import { maskAddress, maskMagnet, maskSaid, maskTracker, maskUrl } from '../../../shared-protocol/masking.js';
import { cpuMsOf } from '../../support/cpu-time.js';

const HEX = '0123456789abcdef0123456789abcdef';
const HASH = 'ab'.repeat(20);

for (const url of [
  'https://tracker.example.org:443/announce',
  'udp://open.example:1337',
  'udp://open.example:1337/announce',
  'http://192.0.2.1:6969/announce',
  'http://[2001:db8::1234:5678:9abc]:80/announce.php?compact=1&numwant=50',
  'https://tracker2.opentrackr.example/scrape/announce',
  'http://xn--90aeb5byba0cygh.xn--p1ai/announce',
  'wss://tracker.example/',
  'http://tracker.example/some-long-path-with-nothing-but-words/announce',
]) {
  void t.test(`untouched: ${url}`, async (t) => {
    t.equal(maskUrl(url), url);
    t.same(maskTracker({ url, status: 'working', seeds: 1 }), { url, status: 'working', seeds: 1 });
    const magnet = `magnet:?xt=urn:btih:${HASH}&dn=a+name&tr=${encodeURIComponent(url)}`;
    t.equal(maskMagnet(magnet, false), magnet);
  });
}

for (const [url, masked] of [
  [`https://t.example/${HEX}/announce`, 'https://t.example/***/announce'],
  [`https://t.example/announce.php?passkey=abc`, 'https://t.example/announce.php?passkey=***'],
  [`https://t.example/a?x=1&torrent_pass=s&authkey=s&y=2`, 'https://t.example/a?x=1&torrent_pass=***&authkey=***&y=2'],
  ['https://t.example/a?pid=1&uid=2&key=3&token=4', 'https://t.example/a?pid=***&uid=***&key=***&token=***'],
  ['https://user:secret@t.example:8080/a', 'https://***@t.example:8080/a'],
  [`https://${HEX}.t.example/a`, 'https://***.t.example/a'],
  ['https://t.example/announce/passkey/abc/x', 'https://t.example/announce/passkey/***/x'],
  ['https://t.example/announce;passkey=abc', 'https://t.example/announce;passkey=***'],
  ['https://t.example/a?%70asskey=abc', 'https://t.example/a?%70asskey=***'],
  ['https://t.example/a?next=%3Fpasskey%3Dabc', 'https://t.example/a?next=***'],
  [`https://t.example/a?${HEX}`, 'https://t.example/a?***'],
  [`https://t.example/a?${HEX}=1`, 'https://t.example/a?***'],
  ['https://t.example/a?v=Ab3_cD4-eF5_gH6-iJ7_kL8', 'https://t.example/a?v=***'],
  ['https://t.example/a#fragment', 'https://t.example/a#***'],
  [`https://t.example/${HEX.replaceAll('a', '%61')}/a`, 'https://t.example/***/a'],
  [`https://t.example/${HEX.replaceAll('a', '%2561')}/a`, 'https://t.example/***/a'],
  ['no url at all', '***'],
] as const) {
  void t.test(`masked: ${url}`, async (t) => {
    t.equal(maskUrl(url), masked);
    t.equal(maskUrl(masked), masked, 'and again');
  });
}

/** What stands for the secret is hidden; `|` marks it. */
for (const [shape, marked] of [
  ['hexadecimal', `https://f.example/|${HEX}|/rss`],
  ['a short hexadecimal one', 'https://f.example/list/|9f86d081|/rss.xml'],
  ['base32', 'https://f.example/get/|MFRGGZDFMZTWQ2LKNNWG23TPOA|/list'],
  ['base64', 'https://f.example/get/|aGVsbG8gd29ybGQgMTIzNDU2|/list'],
  ['base64url', 'https://f.example/get/|q83vEjRWeJ_-Ab3cD4eF5g|/list'],
  ['a UUID', 'https://f.example/get/|123e4567-e89b-12d3-a456-426614174000|/list'],
  ['a folder that names it', 'https://f.example/passkey/|hunter|/list'],
  ['what follows rss', 'https://f.example/rss/|hunter|/list'],
  ['what follows feed', 'https://f.example/feed/|hunter|'],
  ['a session of a servlet', 'https://f.example/list;jsessionid=|hunter|'],
  ['a user name and a password', 'https://|me:hunter|@f.example/list'],
  ['a token in place of a user', 'https://|hunter|@f.example/list'],
  ['a number and hexadecimal digits', 'https://f.example/dl/|1234567.a1b2c3d4e5|/list'],
  ['the number of an account', 'https://f.example/dl/|20481357|/list'],
  ['a name in the query', 'https://f.example/list?torrent_pass=|hunter|'],
  ['any value of the query', 'https://f.example/list?cat=|12|&q=|hunter|'],
  ['a query without a name', 'https://f.example/list?|hunter|'],
  ['twice escaped', `https://f.example/list?next=|%253Fpasskey%253D${HEX}|`],
  ['a fragment', 'https://f.example/list#|hunter|'],
  ['no URL', '|hunter|'],
] as const) {
  void t.test(`the address of a feed or list: ${shape}`, async (t) => {
    const given = marked.replaceAll('|', '');
    const expected = marked.replace(/\|[^|]*\|/g, '***');
    t.equal(maskAddress(given), expected);
    t.equal(maskAddress(expected), expected, 'and again');
  });
}

void t.test('addresses without secrets are shown as they are', async (t) => {
  for (const address of [
    '',
    'https://a.example/list.gz',
    'https://a.example:8443/blocklists/bt_level1.p2p.gz',
    'https://a.example/torrents/ubuntu2404/releases.xml',
  ]) {
    t.equal(maskAddress(address), address);
  }
});

void t.test('what a tracker says in the log', async (t) => {
  t.equal(maskSaid('http://t.example/a?passkey=hunter2', 'hunter2 is no passkey'), '*** is no passkey');
});

void t.test('magnets', async (t) => {
  const tracker = encodeURIComponent(`https://t.example/${HEX}/announce`);
  const shown = encodeURIComponent('https://t.example/***/announce');
  const magnet = (tr: string) => `magnet:?xt=urn:btih:${HASH}&dn=${HEX}&tr=${tr}&tr.2=${tr}&ws=${tr}&xl=12`;
  t.equal(maskMagnet(magnet(tracker), false), magnet(shown));
  t.equal(maskMagnet(magnet(tracker), true), `magnet:?xt=urn:btih:${HASH}&dn=${HEX}&ws=${shown}&xl=12`);
  const open = encodeURIComponent('udp://open.example:1337');
  t.equal(maskMagnet(`magnet:?xt=urn:btih:${HASH}&tr=${open}`, true), `magnet:?xt=urn:btih:${HASH}`);
  t.equal(maskMagnet(`magnet:?xt=urn:btih:${HASH}&amp;TR=${open}`, true), `magnet:?xt=urn:btih:${HASH}`);
  t.equal(maskMagnet(`magnet:?xt=urn:btih:${HASH}&%74r=${open}`, true), `magnet:?xt=urn:btih:${HASH}`);
  t.equal(maskMagnet(`magnet:?xt=urn:btih:${HASH}&x.pass=abc`, false), `magnet:?xt=urn:btih:${HASH}&x.pass=***`);
  t.equal(maskMagnet(`magnet:?xt=urn:btih:${HASH}&tr=${HEX}`, false), `magnet:?xt=urn:btih:${HASH}&tr=***`);
  t.equal(maskMagnet('something else', false), '***');
  t.equal(maskMagnet('', false), '***');
});

void t.test('what a tracker says may repeat its key', async (t) => {
  const status = (url: string, text: string) => maskTracker({ url, status: text }).status;
  t.equal(status('http://t.example/a?passkey=hunter2', 'error: hunter2 is no passkey'), 'error: *** is no passkey');
  t.equal(status('http://t.example/a?passkey=%68unter2', 'error: hunter2?'), 'error: ***?');
  t.equal(status('http://bob:s3cr@t.example/a', 'error: user bob, s3cr'), 'error: user bob, ***');
  t.equal(status('http://t.example/a', `error: unknown ${HEX}.`), 'error: unknown ***');
  t.equal(status('http://t.example/a', `error: see http://t.example/${HEX}`), 'error: see http://t.example/***');
  t.equal(status('http://t.example/a', `error: (http://t.example/?key=x)`), 'error: (http://t.example/?key=***');
  t.equal(status('http://t.example/a', 'error: passkey=abc'), 'error: ***');
  for (const usual of [
    'working',
    'updating',
    'not contacted',
    'disabled',
    'error: connection refused (ECONNREFUSED)',
  ]) {
    t.equal(status(`http://t.example/${HEX}`, usual), usual);
  }
});

void t.test('no secret of a generated URL survives, in it, in magnets, in statuses', async () => {
  const hex = fc.stringMatching(/^[0-9a-f]{20,40}$/);
  const mixed = fc.stringMatching(/^[A-Za-z][0-9][A-Za-z0-9]{18,30}$/);
  const uuid = fc.uuid();
  const anything = fc
    .stringMatching(/^[A-Za-z0-9!$'()*+,.:_~-]{5,30}$/)
    .filter((text) => !'announce.php'.includes(text));
  const key = fc.oneof(hex, mixed, uuid);
  const name = fc.constantFrom(
    'passkey',
    'torrent_pass',
    'authkey',
    'pid',
    'uid',
    'key',
    'token',
    'PassKey',
    'api_key',
  );
  const escaped = (text: fc.Arbitrary<string>) =>
    text.chain((plain) =>
      fc
        .constantFrom(
          plain,
          plain.replace(/./, (first) => `%${hexOf(first)}`),
        )
        .map((written) => ({ plain, written })),
    );
  const url = fc.oneof(
    escaped(key).map((secret) => ({ secret, url: `https://t.example/${secret.written}/announce` })),
    escaped(key).map((secret) => ({ secret, url: `https://t.example/announce.php?x=1&${secret.written}` })),
    fc.tuple(name, escaped(anything)).map(([name, secret]) => ({
      secret,
      url: `http://t.example:80/announce.php?a=b&${name}=${secret.written}&c=d`,
    })),
    fc.tuple(name, escaped(anything)).map(([name, secret]) => ({
      secret,
      url: `http://t.example:80/announce/${name}/${secret.written}/x`,
    })),
    escaped(anything).map((secret) => ({ secret, url: `udp://me:${secret.written}@t.example:80/announce` })),
    hex.map((plain) => ({ secret: { plain, written: plain }, url: `http://${plain}.t.example/announce` })),
  );
  const survives = (text: string, { plain, written }: { plain: string; written: string }) =>
    text.includes(plain) || text.includes(written) || text.includes(encodeURIComponent(written));
  fc.assert(
    fc.property(url, ({ secret, url }) => {
      if (survives(maskUrl(url), secret)) return false;
      const magnet = `magnet:?xt=urn:btih:${HASH}&dn=x&tr=${encodeURIComponent(url)}`;
      if (survives(maskMagnet(magnet, false), secret)) return false;
      const tracker = { url, status: `error: ${secret.plain} refused at ${url}` };
      return !survives(JSON.stringify(maskTracker(tracker)), secret);
    }),
    { numRuns: 2_000 },
  );
});

void t.test('any text is masked without an error, and in time', async (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      maskUrl(text);
      maskUrl(`http://${text}`);
      maskMagnet(`magnet:?${text}`, true);
      maskTracker({ url: `http://t.example/${text}`, status: text });
      return true;
    }),
  );
  const tookMs = cpuMsOf(() => {
    for (const long of ['a', 'a=', '%', '-1', '/', '@', 'http://', '1a'].map((part) => part.repeat(30_000))) {
      maskUrl(`http://t.example/${long}`);
      maskMagnet(`magnet:?xt=${HASH}&tr=${long}`, false);
      maskTracker({ url: `http://${long}`, status: long });
    }
  });
  t.ok(tookMs < 10_000, `${tookMs} ms`);
});

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, '0');
}
