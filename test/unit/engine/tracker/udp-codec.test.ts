import t from 'tap';
import { ADMIN_ACCOUNT_ID, parseInfoHash, parsePeerId } from '../../../../shared-protocol/ids.js';
import type { AnnounceRequest } from '../../../../engine/tracker/client.js';
import {
  decodeReply,
  encodeAnnounce,
  encodeConnect,
  encodeScrape,
  transactionIdOf,
} from '../../../../engine/tracker/udp-codec.js';

const INFO_HASH = parseInfoHash('11'.repeat(20));
const REQUEST: AnnounceRequest = {
  url: 'udp://t.example:80',
  infoHash: INFO_HASH,
  event: 'started',
  figures: { uploaded: 3, downloaded: 1, left: 2, numWant: 100 },
  identity: { peerId: parsePeerId('22'.repeat(20)), port: 0xc8d5, key: 0xdeadbeef, userAgent: 'x' },
  account: ADMIN_ACCOUNT_ID,
  mayReachInside: false,
  trackerId: null,
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (...parts: string[]): Buffer => Buffer.from(parts.join(''), 'hex');

void t.test('BEP 15 packets, field by field', async (t) => {
  t.equal(hex(encodeConnect(0xaabbccdd)), '0000041727101980' + '00000000' + 'aabbccdd');
  t.equal(
    hex(encodeAnnounce(0x0102030405060708n, 0xaabbccdd, REQUEST)),
    [
      '0102030405060708', // connection id
      '00000001', // action
      'aabbccdd', // transaction id
      '11'.repeat(20), // info hash
      '22'.repeat(20), // peer id
      '0000000000000001', // downloaded
      '0000000000000002', // left
      '0000000000000003', // uploaded
      '00000002', // event: started
      '00000000', // IP address
      'deadbeef', // key
      '00000064', // num want
      'c8d5', // port
    ].join(''),
  );
  t.equal(hex(encodeScrape(1n, 2, [INFO_HASH])), '0000000000000001' + '00000002' + '00000002' + '11'.repeat(20));
});

void t.test('events have the numbers of BEP 15', async (t) => {
  const cases = { none: 0, completed: 1, started: 2, stopped: 3 } as const;
  for (const event of ['none', 'completed', 'started', 'stopped'] as const) {
    t.equal(Buffer.from(encodeAnnounce(0n, 0, { ...REQUEST, event })).readUInt32BE(80), cases[event], event);
  }
});

void t.test('BEP 41: path and query travel in options of at most 255 bytes', async (t) => {
  const option = (url: string): string => hex(encodeAnnounce(0n, 0, { ...REQUEST, url }).subarray(98));
  const text = (value: string): string => Buffer.from(value).toString('hex');
  // The example printed in BEP 41.
  t.equal(option('udp://tracker.example.com:80/dir?a=b&c=d'), `020c${text('/dir?a=b&c=d')}`);
  t.equal(option('udp://t.example:80'), '');
  t.equal(option('udp://t.example:80/'), '');
  const path = `/${'k'.repeat(299)}`;
  t.equal(option(`udp://t.example:80${path}`), `02ff${text(path.slice(0, 255))}022d${text(path.slice(255))}`);
});

void t.test('figures that do not fit are bounded', async (t) => {
  const figures = { uploaded: -1, downloaded: NaN, left: Infinity, numWant: -1 };
  const packet = Buffer.from(encodeAnnounce(0n, 0, { ...REQUEST, figures }));
  t.equal(hex(packet.subarray(56, 80)), '00'.repeat(24));
  t.equal(packet.readInt32BE(92), 0);
});

void t.test('replies', async (t) => {
  t.equal(transactionIdOf(bytes('00000000', 'aabbccdd')), 0xaabbccdd);
  t.equal(transactionIdOf(bytes('00000000', 'aabbcc')), null);
  t.same(decodeReply(bytes('00000000', 'aabbccdd', '0102030405060708'), { kind: 'connect' }), {
    kind: 'connected',
    connectionId: 0x0102030405060708n,
  });
  const head = bytes('00000001', 'aabbccdd', '00000708', '00000005', '00000009');
  const list4 = bytes('0a00000104d2', 'e000000104d2', '7f0000010000');
  t.match(decodeReply(Buffer.concat([head, list4]), { kind: 'announce', family: 4 }), {
    kind: 'announced',
    reply: { intervalSec: 1800, leechers: 5, seeds: 9, downloaded: null, peers: [{ host: '10.0.0.1', port: 1234 }] },
  });
  const list6 = bytes('20010db8000000000000000000000001', '04d2');
  t.match(decodeReply(Buffer.concat([head, list6]), { kind: 'announce', family: 6 }), {
    reply: { peers: [{ host: '2001:db8::1', port: 1234 }] },
  });
  const negative = bytes('00000001', 'aabbccdd', 'ffffffff', '00000000', '00000000');
  t.match(decodeReply(negative, { kind: 'announce', family: 4 }), { reply: { intervalSec: -1, peers: [] } });
  t.same(decodeReply(Buffer.concat([bytes('00000003', 'aabbccdd'), Buffer.from('no\0')]), { kind: 'connect' }), {
    kind: 'error',
    message: 'no',
  });
});

void t.test('a scrape reply answers the hashes in the order asked; a short one the first of them', async (t) => {
  const infoHashes = [INFO_HASH, parseInfoHash('33'.repeat(20))];
  const packet = bytes('00000002', 'aabbccdd', '00000001', '00000002', '00000003', '00000004', '00000005');
  const reply = decodeReply(packet, { kind: 'scrape', infoHashes });
  t.equal(reply.kind, 'scraped');
  if (reply.kind === 'scraped') t.same([...reply.files], [[INFO_HASH, { seeds: 1, downloaded: 2, leechers: 3 }]]);
});

void t.test('replies that answer something else, or nothing', async (t) => {
  const cases = [
    { name: 'seven bytes', packet: bytes('00000001', 'aabbcc'), expected: { kind: 'connect' } as const },
    { name: 'connect without an id', packet: bytes('00000000', 'aabbccdd'), expected: { kind: 'connect' } as const },
    {
      name: 'announce for connect',
      packet: bytes('00000001', 'aabbccdd', '00'.repeat(12)),
      expected: { kind: 'connect' } as const,
    },
    {
      name: 'short announce',
      packet: bytes('00000001', 'aabbccdd', '00'.repeat(11)),
      expected: { kind: 'announce', family: 4 } as const,
    },
    {
      name: 'unknown action',
      packet: bytes('00000063', 'aabbccdd', '00'.repeat(12)),
      expected: { kind: 'announce', family: 4 } as const,
    },
  ];
  for (const { name, packet, expected } of cases) t.equal(decodeReply(packet, expected).kind, 'invalid', name);
});
