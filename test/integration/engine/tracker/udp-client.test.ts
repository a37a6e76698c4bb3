import t from 'tap';
import { directOutlet } from '../../../support/direct-outlet.js';
import { namesFrom } from '../../../support/names.js';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { LookupFunction } from 'node:net';
import { ADMIN_ACCOUNT_ID, parseInfoHash, parsePeerId } from '../../../../shared-protocol/ids.js';
import type { AnnounceOutcome, AnnounceRequest } from '../../../../engine/tracker/client.js';
import { abortForMany } from '../../../../shared-protocol/abort-for-many.js';
import { AddressPolicy, parseCidrs } from '../../../../shared-protocol/address-policy.js';
import { createUdpTrackerClient, type UdpTrackerClientOptions } from '../../../../engine/tracker/udp-client.js';
import { encodeConnect } from '../../../../engine/tracker/udp-codec.js';
import { UdpExchange } from '../../../../engine/tracker/udp-exchange.js';
import { SeededRandom } from '../../../support/seeded-random.js';
import { systemClock } from '../../../../shared-protocol/clock.js';
import { waitUntil } from '../../../support/peers/wait-until.js';
import { startUdpTracker, type UdpTracker } from '../../../support/udp-tracker.js';

const INFO_HASH = parseInfoHash('7e'.repeat(20));
/** An answer that comes late on a busy machine is not asked for again. */
const PATIENT: Partial<UdpTrackerClientOptions> = { waitsMs: [20_000] };
const SILENT: Partial<UdpTrackerClientOptions> = { waitsMs: [60, 60, 60] };
/** Half of the packets are lost, and those that are not are answered within it. */
const LOSSY: Partial<UdpTrackerClientOptions> = { waitsMs: [1_000, 20_000] };
const CONNECTION_LIFE_MS = 1_000;
const LIMIT_MS = 20_000;
const { signal } = abortForMany();

function request(url: string, given: Partial<AnnounceRequest> = {}, peer = 1): AnnounceRequest {
  return {
    url,
    infoHash: INFO_HASH,
    event: 'started',
    figures: { uploaded: 0, downloaded: 0, left: 10, numWant: 50 },
    identity: { peerId: parsePeerId(`0${peer}`.repeat(20)), port: 6000 + peer, key: peer, userAgent: 'x' },
    account: ADMIN_ACCOUNT_ID,
    mayReachInside: true,
    trackerId: null,
    ...given,
  };
}

function newClient(options: Partial<UdpTrackerClientOptions> = {}) {
  const open = { policy: new AddressPolicy(parseCidrs(['127.0.0.0/8'])) };
  return createUdpTrackerClient(
    { clock: systemClock, random: new SeededRandom(3) },
    { ...PATIENT, ...open, ...options },
  );
}

async function announceTo(
  respond: (packet: Buffer, from: RemoteInfo, socket: Socket) => boolean,
  options: Partial<UdpTrackerClientOptions> = {},
  event: AnnounceRequest['event'] = 'started',
): Promise<{ outcome: AnnounceOutcome; tracker: UdpTracker }> {
  const tracker = await startUdpTracker({ respond });
  const client = newClient(options);
  const outcome = await client.announce(request(tracker.announceUrl, { event }), signal);
  await client.close();
  await tracker.close();
  return { outcome, tracker };
}

void t.test('announce and scrape with a tracker that tracks; one connection id serves all', async (t) => {
  const tracker = await startUdpTracker({ intervalSec: 777 });
  const client = newClient();
  const url = `${tracker.announceUrl}?pk=1`;
  t.match(await client.announce(request(url), signal), {
    kind: 'answered',
    intervalSec: 777,
    peers: [],
    seeds: 0,
    leechers: 1,
  });
  const seed = { figures: { uploaded: 5, downloaded: 6, left: 0, numWant: 50 }, event: 'completed' as const };
  t.match(await client.announce(request(url, seed, 2), signal), {
    peers: [{ host: '127.0.0.1', port: 6001 }],
    seeds: 1,
  });
  t.match(tracker.announces[1], { infoHash: INFO_HASH, port: 6002, event: 'completed', uploaded: 5, left: 0 });
  t.same(tracker.urlData, ['/announce?pk=1', '/announce?pk=1'], 'BEP 41');
  const unknown = parseInfoHash('ab'.repeat(20));
  const scrape = await client.scrape(
    {
      url,
      infoHashes: [unknown, INFO_HASH],
      account: ADMIN_ACCOUNT_ID,
      mayReachInside: true,
      identity: request('').identity,
    },
    signal,
  );
  t.equal(scrape.kind === 'scraped' && scrape.files.get(INFO_HASH)?.seeds, 1);
  t.equal(scrape.kind === 'scraped' && scrape.files.get(unknown)?.seeds, 0);
  t.equal(tracker.packets.filter((packet) => packet.readUInt32BE(8) === 0).length, 1, 'one connect');
  await client.close();
  await tracker.close();
});

void t.test('announces that start together share one connect', async (t) => {
  const tracker = await startUdpTracker();
  const client = newClient();
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, i) => client.announce(request(tracker.announceUrl, {}, (i % 9) + 1), signal)),
  );
  t.ok(outcomes.every(({ kind }) => kind === 'answered'));
  t.equal(tracker.packets.length, 21);
  await client.close();
  await tracker.close();
});

void t.test('a lost packet is sent again under the same transaction id; silence ends in a failure', async (t) => {
  let lost = 0;
  const lossy = await announceTo(() => lost++ % 2 === 0, LOSSY);
  t.match(lossy.outcome, { kind: 'answered' });
  const ids = lossy.tracker.packets.map((packet) => packet.toString('hex', 12, 16));
  t.equal(ids.length, 4);
  t.same([ids[0], ids[2]], [ids[1], ids[3]]);
  const silent = await announceTo(() => true, SILENT);
  t.match(silent.outcome, { kind: 'failed', code: 'TRACKER_TIMEOUT' });
  t.equal(silent.tracker.packets.length, 3);
  const started = performance.now();
  const stopped = await announceTo(() => true, { waitsMs: [LIMIT_MS], stopTimeoutMs: 80 }, 'stopped');
  t.match(stopped.outcome, { kind: 'failed', code: 'TRACKER_TIMEOUT' });
  t.ok(performance.now() - started < LIMIT_MS);
});

void t.test(
  'a connection id that is too old is not used, and a tracker that forgot it is asked for another',
  async (t) => {
    const tracker = await startUdpTracker();
    const client = newClient({ connectionIdLifeMs: CONNECTION_LIFE_MS });
    const connects = (): number => tracker.packets.filter((packet) => packet.readUInt32BE(8) === 0).length;
    await client.announce(request(tracker.announceUrl), signal);
    await new Promise((resolve) => setTimeout(resolve, CONNECTION_LIFE_MS + 100));
    await client.announce(request(tracker.announceUrl), signal);
    t.equal(connects(), 2);
    await client.close();
    await tracker.close();

    let forgets = true;
    const forgetful = await startUdpTracker({
      respond: (packet, from, socket) => {
        if (packet.readUInt32BE(8) !== 1 || !forgets) return false;
        forgets = false;
        const error = Buffer.concat([Buffer.from([0, 0, 0, 3]), packet.subarray(12, 16), Buffer.from('who?')]);
        socket.send(error, from.port, from.address);
        return true;
      },
    });
    const other = newClient();
    t.match(await other.announce(request(forgetful.announceUrl), signal), { code: 'TRACKER_FAILURE', message: 'who?' });
    t.match(await other.announce(request(forgetful.announceUrl), signal), { kind: 'answered' });
    t.equal(forgetful.packets.filter((packet) => packet.readUInt32BE(8) === 0).length, 2);
    await other.close();
    await forgetful.close();
  },
);

void t.test(
  'blind replies: wrong transaction id, wrong port, too short, all dropped (docs/limits.md 2.21)',
  async (t) => {
    const forger = createSocket('udp4');
    forger.bind(0, '127.0.0.1');
    await once(forger, 'listening');
    const poison = Buffer.from('0a0a0a0a04d2', 'hex');
    const { outcome } = await announceTo((packet, from, socket) => {
      const action = packet.readUInt32BE(8);
      const right = packet.subarray(12, 16);
      const wrong = Buffer.from(right.map((byte) => byte ^ 1));
      const forged = (id: Uint8Array): Buffer =>
        Buffer.concat([Buffer.from([0, 0, 0, action]), id, Buffer.alloc(12), action === 1 ? poison : Buffer.alloc(0)]);
      for (let i = 0; i < 50; i++) socket.send(forged(wrong), from.port, from.address);
      socket.send(forged(right).subarray(0, 7), from.port, from.address);
      forger.send(forged(right), from.port, from.address);
      return false;
    });
    forger.close();
    t.match(outcome, { kind: 'answered', intervalSec: 1800, peers: [] });
  },
);

void t.test('a reply of the wrong kind from the tracker itself is a failure', async (t) => {
  const { outcome } = await announceTo((packet, from, socket) => {
    socket.send(
      Buffer.concat([Buffer.from([0, 0, 0, 9]), packet.subarray(12, 16), Buffer.alloc(8)]),
      from.port,
      from.address,
    );
    return true;
  });
  t.match(outcome, { kind: 'failed', code: 'TRACKER_REPLY_INVALID' });
});

void t.test('addresses that are never trackers are refused, names that do not resolve fail', async (t) => {
  const lookup: LookupFunction = (hostname, _options, callback) => {
    if (hostname === 'gone.example') callback(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), '', 0);
    else callback(null, [{ address: hostname, family: 4 }]);
  };
  const client = newClient({ names: namesFrom(lookup) });
  for (const host of ['169.254.169.254', '224.0.0.1', '255.255.255.255']) {
    t.match(await client.announce(request(`udp://${host}:80/`), signal), { code: 'TRACKER_REFUSED' }, host);
  }
  t.match(await client.announce(request('udp://gone.example:80/'), signal), { code: 'TRACKER_UNREACHABLE' });
  t.match(await client.announce(request('udp://127.0.0.1:0/'), signal), { code: 'TRACKER_REFUSED' });
  await client.close();
});

void t.test('an announce can be given up, and close ends what is under way', async (t) => {
  const tracker = await startUdpTracker({ respond: () => true });
  const client = newClient({ waitsMs: [60_000] });
  const abort = new AbortController();
  const outcome = client.announce(request(tracker.announceUrl), abort.signal);
  setTimeout(() => abort.abort(), 30);
  t.match(await outcome, { kind: 'failed', code: 'TRACKER_ABORTED' });
  const other = client.announce(request(tracker.announceUrl), signal);
  setTimeout(() => void client.close(), 30);
  t.match(await other, { kind: 'failed', code: 'TRACKER_ABORTED' });
  t.match(await client.announce(request(tracker.announceUrl), signal), { code: 'TRACKER_ABORTED' });
  await tracker.close();
});

void t.test('one socket for all trackers, closed when idle and opened again', async (t) => {
  const ports = new Set<number>();
  const note = (_packet: Buffer, from: RemoteInfo): boolean => {
    ports.add(from.port);
    return false;
  };
  const trackers = await Promise.all([note, note, note].map((respond) => startUdpTracker({ respond })));
  const client = newClient();
  await Promise.all(trackers.map(({ announceUrl }) => client.announce(request(announceUrl), signal)));
  t.equal(ports.size, 1, 'three trackers saw one port of ours');
  await client.close();

  const exchange = new UdpExchange({ clock: systemClock, random: new SeededRandom(4), outlet: directOutlet() }, 40);
  const to = { host: '127.0.0.1', port: trackers[0]!.port, family: 4 } as const;
  const connect = { to, packet: encodeConnect, expected: { kind: 'connect' }, waitsMs: [LIMIT_MS] } as const;
  t.match(await exchange.request(connect, signal), { kind: 'connected' });
  t.equal(exchange.openSockets, 1);
  await waitUntil('the socket closed', LIMIT_MS, () => exchange.openSockets === 0 || undefined);
  t.match(await exchange.request(connect, signal), { kind: 'connected' });
  exchange.close();
  t.equal(exchange.openSockets, 0);
  await Promise.all(trackers.map((tracker) => tracker.close()));
});

void t.test('a tracker on the blocklist is not asked, from the next announce on', async (t) => {
  const tracker = await startUdpTracker({});
  const blocked = new Set<string>();
  const client = newClient({ isBlocked: (address) => blocked.has(address) });
  t.match(await client.announce(request(tracker.announceUrl), signal), { kind: 'answered' });
  const packets = tracker.packets.length;
  blocked.add('127.0.0.1');
  t.match(await client.announce(request(tracker.announceUrl), signal), {
    kind: 'failed',
    code: 'TRACKER_REFUSED',
    message: 'address on the blocklist',
  });
  t.equal(tracker.packets.length, packets);
  await client.close();
  await tracker.close();
});

void t.test('Node warns of nothing when many are asked at once', async (t) => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => void warnings.push(warning);
  process.on('warning', onWarning);
  t.teardown(() => process.off('warning', onWarning));
  const tracker = await startUdpTracker({});
  const client = newClient();
  const asked = Array.from({ length: 20 }, () =>
    client.announce(request(tracker.announceUrl), new AbortController().signal),
  );
  await Promise.all(asked);
  await client.close();
  await tracker.close();
  t.same(warnings, []);
});
