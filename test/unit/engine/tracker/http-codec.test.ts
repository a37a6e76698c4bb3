import t from 'tap';
import bencode from 'bencode';
import { ADMIN_ACCOUNT_ID, parseInfoHash, parsePeerId } from '../../../../shared-protocol/ids.js';
import type { AnnounceRequest } from '../../../../engine/tracker/client.js';
import {
  announceUrl,
  parseAnnounceReply,
  parseScrapeReply,
  percentEncode,
  scrapeQueryUrl,
} from '../../../../engine/tracker/http-codec.js';

const INFO_HASH = parseInfoHash('123456789abcdef123456789abcdef123456789a');

const REQUEST: AnnounceRequest = {
  url: 'http://t.example/announce',
  infoHash: INFO_HASH,
  event: 'started',
  figures: { uploaded: 1, downloaded: 2, left: 3, numWant: 100 },
  identity: {
    peerId: parsePeerId(Buffer.from('-SW0100-~!* \u0000abcdef.').toString('hex').slice(0, 40)),
    port: 51413,
    key: 0xbeef,
    userAgent: 'x',
  },
  account: ADMIN_ACCOUNT_ID,
  mayReachInside: false,
  trackerId: null,
};

void t.test('raw bytes are percent-encoded exactly: only unreserved characters stand for themselves', async (t) => {
  t.equal(percentEncode(Buffer.from(INFO_HASH, 'hex')), '%124Vx%9A%BC%DE%F1%23Eg%89%AB%CD%EF%124Vx%9A');
  const all = percentEncode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  t.match(all, /^(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})*$/);
  const decoded = all.replace(/%(..)/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  t.same([...Buffer.from(decoded, 'latin1')], [...Array(256).keys()]);
});

void t.test('the announce query (BEP 3, 7, 23)', async (t) => {
  t.equal(
    announceUrl(REQUEST).href,
    'http://t.example/announce?info_hash=%124Vx%9A%BC%DE%F1%23Eg%89%AB%CD%EF%124Vx%9A' +
      '&peer_id=-SW0100-~%21%2A%20%00abcdef.&port=51413&uploaded=1&downloaded=2&left=3&numwant=100' +
      '&key=0000beef&compact=1&no_peer_id=1&event=started',
  );
  t.notMatch(announceUrl({ ...REQUEST, event: 'none' }).search, /event=/);
  t.match(announceUrl({ ...REQUEST, trackerId: 'a&\xff' }).search, /&trackerid=a%26%FF$/);
});

void t.test('the URL’s own query stays in front, its fragment goes, numbers never turn into exponents', async (t) => {
  t.match(announceUrl({ ...REQUEST, url: 'http://t.example/a?passkey=%2F1&#x' }).href, /\/a\?passkey=%2F1&info_hash=/);
  t.notMatch(announceUrl({ ...REQUEST, url: 'http://t.example/a#x' }).href, /#/);
  const figures = { uploaded: 1e21, downloaded: -5, left: NaN, numWant: 1.5 };
  t.match(
    announceUrl({ ...REQUEST, figures }).search,
    /&uploaded=1000000000000000000000&downloaded=0&left=0&numwant=1&/,
  );
});

void t.test('announce replies', async (t) => {
  const cases = [
    {
      name: 'compact peers of both families, filtered',
      given: {
        interval: 1800,
        'min interval': 900,
        complete: 4,
        incomplete: 5,
        downloaded: 6,
        'tracker id': Buffer.from('id\xff', 'latin1'),
        'warning message': 'careful\nforged line',
        'external ip': Buffer.from([198, 51, 100, 7]),
        peers: Buffer.from('0a00000104d27f00000104d20a0000020000e000000104d20000000004d2ff', 'hex'),
        peers6: Buffer.from('20010db800000000000000000000000104d2' + '00000000000000000000ffffc633640704d2', 'hex'),
      },
      expected: {
        kind: 'answered',
        intervalSec: 1800,
        minIntervalSec: 900,
        seeds: 4,
        leechers: 5,
        downloaded: 6,
        trackerId: 'id\xff',
        warning: 'careful forged line',
        externalIp: '198.51.100.7',
        peers: [
          { host: '10.0.0.1', port: 1234 },
          { host: '127.0.0.1', port: 1234 },
          { host: '2001:db8::1', port: 1234 },
          { host: '198.51.100.7', port: 1234 },
        ],
      },
    },
    {
      name: 'peers as dictionaries (BEP 3); names and impossible ports are dropped',
      given: {
        interval: 60,
        peers: [
          { ip: '10.1.2.3', port: 6881, 'peer id': 'x'.repeat(20) },
          { ip: '2001:db8::2', port: 1 },
          { ip: 'tracker.example', port: 80 },
          { ip: '10.1.2.3', port: 0 },
          { ip: '10.1.2.3', port: 65_536 },
          { ip: '10.1.2', port: 80 },
          { port: 80 },
          'text',
        ],
      },
      expected: {
        intervalSec: 60,
        peers: [
          { host: '10.1.2.3', port: 6881 },
          { host: '2001:db8::2', port: 1 },
        ],
      },
    },
    {
      name: 'a failure reason wins over everything',
      given: { 'failure reason': 'go\u202eaway', interval: 1, peers: '' },
      expected: { kind: 'failed', code: 'TRACKER_FAILURE', message: 'go away' },
    },
    {
      name: 'fields of a wrong type are absent',
      given: {
        interval: 'x',
        'min interval': [],
        complete: -1,
        incomplete: 'many',
        peers: 7,
        peers6: [],
        'external ip': 'abc',
      },
      expected: {
        kind: 'answered',
        intervalSec: null,
        minIntervalSec: null,
        seeds: null,
        leechers: null,
        peers: [],
        externalIp: null,
      },
    },
    { name: 'an empty dictionary', given: {}, expected: { kind: 'answered', intervalSec: null, peers: [] } },
  ];
  for (const { name, given, expected } of cases) t.match(parseAnnounceReply(bencode.encode(given)), expected, name);
});

void t.test('intervals as trackers have really sent them', async (t) => {
  const cases = [
    { given: 'i0e', expected: 0 },
    { given: 'i-1e', expected: -1 },
    { given: 'i1099511627776e', expected: 2 ** 40 },
    { given: 'i99999999999999999999e', expected: 1e20 },
    { given: '1:x', expected: null },
  ];
  for (const { given, expected } of cases) {
    t.match(
      parseAnnounceReply(Buffer.from(`d8:interval${given}e`)),
      { kind: 'answered', intervalSec: expected },
      given,
    );
  }
});

void t.test('what is no reply at all', async (t) => {
  const cases = {
    empty: '',
    HTML: '<!DOCTYPE html><html><body>parked</body></html>',
    'a list': 'le',
    truncated: 'd8:intervali18',
    'a string longer than the body': 'd5:peers999999999:xe',
    'nested too deep': `d1:a${'l'.repeat(100_000)}`,
  };
  for (const [name, given] of Object.entries(cases)) {
    t.match(parseAnnounceReply(Buffer.from(given)), { kind: 'failed', code: 'TRACKER_REPLY_INVALID' }, name);
    t.match(parseScrapeReply(Buffer.from(given)), { kind: 'failed', code: 'TRACKER_REPLY_INVALID' }, name);
  }
});

void t.test('no more than a thousand peers are taken from one reply', async (t) => {
  const peers = Buffer.alloc(6 * 100_000, 0x0a);
  const reply = parseAnnounceReply(bencode.encode({ interval: 1, peers, peers6: Buffer.alloc(18 * 2000, 0x20) }));
  t.equal(reply.kind === 'answered' && reply.peers.length, 1000);
});

void t.test('long texts are cut, so that a reply cannot fill the log', async (t) => {
  const reply = parseAnnounceReply(bencode.encode({ 'failure reason': 'é'.repeat(100_000) }));
  t.equal(reply.kind === 'failed' && reply.message.length, 200);
});

void t.test('scrapes (BEP 48)', async (t) => {
  const other = parseInfoHash('ff'.repeat(20));
  t.equal(
    scrapeQueryUrl(new URL('http://t.example/scrape?pk=1'), [INFO_HASH, other]).href,
    `http://t.example/scrape?pk=1&info_hash=%124Vx%9A%BC%DE%F1%23Eg%89%AB%CD%EF%124Vx%9A&info_hash=${'%FF'.repeat(20)}`,
  );
  const files = Buffer.concat([
    Buffer.from('d5:filesd20:'),
    Buffer.from(INFO_HASH, 'hex'),
    Buffer.from('d8:completei5e10:downloadedi50e10:incompletei10ee3:badd8:completei1eeee'),
  ]);
  const reply = parseScrapeReply(files);
  t.equal(reply.kind, 'scraped');
  if (reply.kind === 'scraped') t.same([...reply.files], [[INFO_HASH, { seeds: 5, leechers: 10, downloaded: 50 }]]);
  t.match(parseScrapeReply(Buffer.from('d14:failure reason2:noe')), { code: 'TRACKER_FAILURE', message: 'no' });
});
