// Which tracker and web seed URLs are kept (BEP 12, 15, 19).
import t from 'tap';
import { MAX_TRACKER_CHARS, MAX_TRACKERS } from '../../../../shared-protocol/torrent-bounds.js';
import { cleanTiers, cleanTrackerUrl, cleanWebSeeds } from '../../../../engine/metainfo/trackers.js';

void t.test('one URL', async (t) => {
  const cases: { name: string; given: string; expected: string | null }[] = [
    { name: 'http', given: 'http://t.example/announce', expected: 'http://t.example/announce' },
    {
      name: 'https with a passkey',
      given: 'https://t.example/AbC%2f/announce?k=%7E',
      expected: 'https://t.example/AbC%2f/announce?k=%7E',
    },
    { name: 'udp', given: 'udp://t.example:6969/announce', expected: 'udp://t.example:6969/announce' },
    { name: 'IPv6', given: 'udp://[2001:db8::1]:6969', expected: 'udp://[2001:db8::1]:6969' },
    { name: 'spaces around', given: ' http://t.example/a\r\n', expected: 'http://t.example/a' },
    { name: 'a space inside', given: 'http://t.example/a b?c d', expected: 'http://t.example/a%20b?c%20d' },
    { name: 'a space inside, over UDP', given: 'udp://t.example:1/a b', expected: 'udp://t.example:1/a%20b' },
    { name: 'a space in the host', given: 'http://t example/', expected: null },
    { name: 'an escaped space', given: 'http://t.example/a%20b', expected: 'http://t.example/a%20b' },
    { name: 'escaped spaces in front', given: '%20 %20http://t.example/a', expected: 'http://t.example/a' },
    { name: 'UDP without a port', given: 'udp://t.example/announce', expected: 'udp://t.example/announce' },
    { name: 'a line break inside', given: 'http://t.example/a\r\nHost: evil', expected: null },
    { name: 'other letters are encoded', given: 'http://t.example/ä', expected: 'http://t.example/%C3%A4' },
    { name: 'websocket', given: 'wss://t.example', expected: null },
    { name: 'file', given: 'file:///etc/passwd', expected: null },
    { name: 'script', given: 'javascript:alert(1)', expected: null },
    { name: 'no host', given: 'udp:///announce', expected: null },
    { name: 'no URL', given: 't.example/announce', expected: null },
    { name: 'nothing', given: '', expected: null },
    { name: '2048 characters', given: `http://t/${'x'.repeat(2039)}`, expected: `http://t/${'x'.repeat(2039)}` },
    { name: '2049 characters', given: `http://t/${'x'.repeat(2040)}`, expected: null },
    { name: 'too long once encoded', given: `http://t/${'ä'.repeat(1000)}`, expected: null },
  ];
  for (const { name, given, expected } of cases) t.equal(cleanTrackerUrl(given), expected, name);
});

void t.test('tiers', async (t) => {
  t.strictSame(
    cleanTiers([['http://a/x', 'ftp://no', 'http://b/'], [], ['wss://no'], ['HTTP://A/x', 'http://b', 'http://a/X']]),
    [['http://a/x', 'http://b/'], ['http://a/X']],
    'empty tiers go, the same host in other letters is the same tracker, another path is another',
  );
  t.strictSame(cleanTiers([]), []);
  t.strictSame(
    cleanTiers([
      ['http://a/x', 'http://a:80/x', 'http://a:443/x'],
      ['https://a:443/x', 'https://A/x'],
      ['udp://a', 'udp://A:80/', 'udp://a:81'],
    ]),
    [['http://a/x', 'http://a:443/x'], ['https://a:443/x'], ['udp://a', 'udp://a:81']],
    'a default port is no other address',
  );
  const many = Array.from({ length: 300 }, (_, i) => [`http://t${i}/a`, `http://u${i}/a`]);
  t.same(cleanTiers(many), many.slice(0, MAX_TRACKERS / 2), 'the first tiers stay');
  const long = Array.from({ length: 30 }, (_, i) => [`http://t${i}/`.padEnd(2_048, 'x')]);
  const short = ['udp://short:1'];
  t.same(cleanTiers([...long, short]), long.slice(0, MAX_TRACKER_CHARS / 2_048), 'characters are counted');
  t.same(cleanTiers([...long.slice(0, 7), ...short.map((url) => [url]), ...long.slice(7)]), [
    ...long.slice(0, 7),
    short,
  ]);
});

void t.test('a list without end is left after a while', async (t) => {
  let asked = 0;
  function* rubbish(): Generator<string[]> {
    for (;;) {
      asked++;
      yield ['rubbish'];
    }
  }
  t.strictSame(cleanTiers(rubbish()), []);
  t.ok(asked < 3_000, `${asked} asked for`);
});

void t.test('web seeds', async (t) => {
  const given = ['https://w.example/f/', 'udp://w.example:1', 'https://w.example/f/', 'http://w.example/f/', ''];
  t.strictSame(cleanWebSeeds(given), ['https://w.example/f/', 'http://w.example/f/']);
});
