// The seeding rule of a torrent's trackers: by host, the first tracker that has one.
import t from 'tap';
import { TrackerRules } from '../../../../../api/services/library/tracker-rules.js';
import { hostOf } from '../../../../../shared-protocol/dto/seeding.js';

const RULES = new TrackerRules([
  { host: 'example.org', ratio_limit: 1 },
  { host: 'private.example.org', ratio_limit: 2 },
  { host: 'xn--mller-kva.example', ratio_limit: 3 },
  { host: '192.0.2.1', ratio_limit: 4 },
  { host: '[2001:db8::1]', ratio_limit: 5 },
]);

void t.test('by host, the longest name first, whatever the scheme, port and path', async (t) => {
  const cases: [trackers: string[], ratio: number | null][] = [
    [[], null],
    [['http://example.org/announce'], 1],
    [['udp://Tracker.Example.ORG:6969'], 1],
    [['https://private.example.org:443/0123456789abcdef/announce'], 2],
    [['https://a.private.example.org/announce'], 2],
    [['http://notexample.org/announce'], null],
    [['http://example.org.evil.example/announce'], null],
    [['http://evil.example/example.org/'], null],
    [['http://example.org@evil.example/'], null],
    [['http://müller.example/announce'], 3],
    [['udp://192.0.2.1:80'], 4],
    [['http://[2001:DB8::1]:80/announce'], 5],
    [['no address', 'http://example.org./announce'], 1],
    [['http://other.example/', 'http://private.example.org/', 'http://example.org/'], 2],
  ];
  for (const [trackers, ratio] of cases) {
    const facts = { trackers: trackers.join('\n') };
    for (let round = 0; round < 2; round++) t.equal(RULES.of(facts)?.ratio_limit ?? null, ratio, facts.trackers);
  }
});

void t.test('a host is a name or an address and nothing else', async (t) => {
  const cases: [text: string, host: string][] = [
    ['Tracker.Example', 'tracker.example'],
    ['tracker.example.', 'tracker.example'],
    ['müller.example', 'xn--mller-kva.example'],
    ['192.0.2.1', '192.0.2.1'],
    ['[2001:DB8::1]', '[2001:db8::1]'],
    ['tracker.example:81', ''],
    ['tracker.example/announce', ''],
    ['http://tracker.example', ''],
    ['me@tracker.example', ''],
    ['tracker.example?a', ''],
    ['a b', ''],
    ['', ''],
  ];
  for (const [text, host] of cases) t.equal(hostOf(text), host, text);
});
