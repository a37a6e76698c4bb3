import t from 'tap';
import { readTrackerUrl, scrapeUrl, udpPortOf } from '../../../../engine/tracker/tracker-url.js';

void t.test('tracker URLs: protocol, host, and what is refused', async (t) => {
  const cases = [
    {
      given: 'http://Tracker.Example:8080/announce',
      expected: { transport: 'http', host: 'tracker.example', refusal: null },
    },
    {
      given: 'https://t.example/p4ssk3y/announce?x=1',
      expected: { transport: 'http', host: 't.example', refusal: null },
    },
    { given: 'udp://T.example:1337/announce', expected: { transport: 'udp', host: 't.example', refusal: null } },
    { given: 'udp://[::1]:1337', expected: { transport: 'udp', host: '[::1]', refusal: null } },
    { given: 'udp://t.example/announce', expected: { transport: 'udp', refusal: null } },
    { given: 'wss://t.example', expected: { transport: 'none', refusal: null } },
    { given: 'ftp://t.example', expected: { transport: 'none' } },
    { given: 'javascript:alert(1)', expected: { transport: 'none' } },
    { given: '', expected: { transport: 'none', refusal: 'not a URL' } },
    { given: 'http://', expected: { transport: 'none', refusal: 'not a URL' } },
    { given: `http://t.example/${'a'.repeat(2048)}`, expected: { refusal: 'URL too long' } },
  ];
  for (const { given, expected } of cases) t.match(readTrackerUrl(given), expected, given.slice(0, 60));
});

void t.test('URLs that bring announce parameters of their own are refused (docs/limits.md 2.22 b)', async (t) => {
  const names = ['info_hash', 'event', 'port', 'left', 'key', 'uploaded', 'downloaded', 'corrupt', 'peer_id', 'PORT'];
  for (const name of names) {
    t.ok(readTrackerUrl(`http://t.example/announce?a=b&${name}=1`).refusal, name);
    t.ok(readTrackerUrl(`http://t.example/announce?%${name.charCodeAt(0).toString(16)}${name.slice(1)}=1`).refusal);
  }
  t.equal(readTrackerUrl('http://t.example/announce?passkey=1&portal=2').refusal, null);
});

void t.test('BEP 48: where the scrape of an announce URL lives', async (t) => {
  // The table printed in BEP 48 and in the scrape convention before it.
  const cases = [
    { given: 'http://example.com/announce', expected: 'http://example.com/scrape' },
    { given: 'http://example.com/x/announce', expected: 'http://example.com/x/scrape' },
    { given: 'http://example.com/announce.php', expected: 'http://example.com/scrape.php' },
    { given: 'http://example.com/announce?x2%0644', expected: 'http://example.com/scrape?x2%0644' },
    { given: 'http://example.com/a', expected: undefined },
    { given: 'http://example.com/announce?x=2/4', expected: 'http://example.com/scrape?x=2/4' },
    { given: 'http://example.com/x%064announce', expected: undefined },
  ];
  for (const { given, expected } of cases) t.equal(scrapeUrl(given)?.href, expected, given);
});

void t.test('the port of a UDP tracker', async (t) => {
  for (const [given, expected] of [
    ['udp://t.example:6969/announce', 6969],
    ['udp://t.example:80', 80],
    ['udp://t.example/announce', 80],
    ['udp://[::1]', 80],
    ['udp://t.example:0', 0],
  ] as const) {
    t.equal(udpPortOf(new URL(given)), expected, given);
  }
});
