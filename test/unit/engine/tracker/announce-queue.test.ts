import t from 'tap';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  ADMIN_ACCOUNT_ID,
  type AccountId,
  parseInfoHash,
  parsePeerId,
  type InfoHash,
} from '../../../../shared-protocol/ids.js';
import type { Log, PeerAddress } from '../../../../engine/environment.js';
import { createAnnounceQueue } from '../../../../engine/tracker/announce-queue.js';
import { trackerFailure } from '../../../../engine/tracker/client.js';
import type { AnnounceFigures, AnnounceTorrent } from '../../../../engine/tracker/types.js';
import { reply, ScriptedTrackerClient } from '../../../support/scripted-tracker-client.js';
import { SeededRandom } from '../../../support/seeded-random.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const MINUTE = 60_000;
const SEED = 11;
const IDENTITY = { peerId: parsePeerId('2d'.repeat(20)), port: 6881, key: 1, userAgent: 'Swarmd/test' };
const A = 'http://a.example/announce';
const B = 'http://b.example/announce';
const C = 'udp://c.example:80/announce';

class Torrent implements AnnounceTorrent {
  readonly infoHash: InfoHash;
  readonly peers: PeerAddress[] = [];
  isInsider = false;
  account = ADMIN_ACCOUNT_ID;
  heardTimes = 0;
  now: AnnounceFigures = { uploaded: 0, downloaded: 0, left: 100, numWant: 50 };

  constructor(number = 1) {
    this.infoHash = parseInfoHash(number.toString(16).padStart(40, '0'));
  }

  figures(): AnnounceFigures {
    return this.now;
  }

  onPeers(peers: readonly PeerAddress[]): void {
    this.peers.push(...peers);
  }

  onTrackersHeard(): void {
    this.heardTimes++;
  }

  accountFor(): AccountId {
    return this.account;
  }

  mayReachInside(): boolean {
    return this.isInsider;
  }
}

function setUp() {
  const clock = new VirtualClock();
  const errors: string[] = [];
  const silent = (): void => undefined;
  const log: Log = { debug: silent, info: silent, warn: silent, error: (message) => void errors.push(message) };
  const http = new ScriptedTrackerClient();
  const udp = new ScriptedTrackerClient();
  const externalIps: string[] = [];
  const queue = createAnnounceQueue({
    clock,
    random: new SeededRandom(SEED),
    log,
    identity: () => IDENTITY,
    http,
    udp,
    onExternalIp: (ip) => void externalIps.push(ip),
  });
  return { clock, http, udp, queue, errors, externalIps };
}

const down = trackerFailure('TRACKER_UNREACHABLE', 'connection refused');

void t.test('started now, then at the interval, and peers reach the torrent', async (t) => {
  const { clock, http, queue } = setUp();
  const torrent = new Torrent();
  const peers = [{ host: '10.0.0.1', port: 1 }];
  http.script = () => reply({ intervalSec: 600, seeds: 3, leechers: 4, downloaded: 5, peers });
  queue.add(torrent, [[A]]);
  await clock.advance(MINUTE);
  t.same(http.said, [], 'nothing before start');
  t.equal(queue.statuses(torrent.infoHash)[0]?.status, 'not contacted');
  queue.start(torrent.infoHash);
  await clock.advance(0);
  t.same(http.said, ['started a.example']);
  t.same(torrent.peers, peers);
  const [status] = queue.statuses(torrent.infoHash);
  t.match(status, { url: A, tier: 0, status: 'working', seeds: 3, peers: 4, downloaded: 5 });
  const nowSec = clock.unixMs() / 1000;
  t.equal(status?.lastAnnounce, nowSec);
  t.ok(status!.nextAnnounce >= nowSec + 540 && status!.nextAnnounce <= nowSec + 660, `seed ${SEED}`);
  await clock.advance(539_000);
  t.equal(http.announces.length, 1, 'never more than ten per cent early');
  await clock.advance(122_000);
  t.same(http.said, ['started a.example', 'none a.example'], `seed ${SEED}`);
});

void t.test('completed once, at once, and only where started was heard', async (t) => {
  const { clock, http, queue } = setUp();
  const torrent = new Torrent();
  queue.add(torrent, [[A], [B]]);
  http.script = ({ url }) => (url === B ? down : reply());
  queue.start(torrent.infoHash);
  await clock.advance(1000);
  torrent.now = { ...torrent.now, left: 0, downloaded: 100 };
  queue.completed(torrent.infoHash);
  await clock.advance(0);
  http.script = () => reply();
  await clock.advance(40 * MINUTE);
  t.same(
    http.said.filter((said) => said.endsWith('a.example')),
    ['started a.example', 'completed a.example', 'none a.example'],
  );
  t.same(
    http.said.filter((said) => said.endsWith('b.example')).slice(0, 3),
    ['started b.example', 'started b.example', 'none b.example'],
    'B hears started with nothing left, and no completed',
  );
  t.equal(http.announces.find(({ event }) => event === 'completed')?.figures.left, 0);
});

void t.test('completed while started is under way follows it', async (t) => {
  const { clock, http, queue } = setUp();
  const torrent = new Torrent();
  http.script = () => 'hold';
  queue.add(torrent, [[A]]);
  queue.start(torrent.infoHash);
  await clock.advance(0);
  queue.completed(torrent.infoHash);
  http.script = () => reply();
  http.held[0]?.settle(reply());
  await clock.advance(0);
  t.same(http.said, ['started a.example', 'completed a.example']);
});

void t.test('stop says stopped to those that had answered, with the last figures and no wish for peers', async (t) => {
  const { clock, http, queue } = setUp();
  const torrent = new Torrent();
  http.script = ({ url }) => (url === B ? down : reply());
  queue.add(torrent, [[A], [B]]);
  queue.start(torrent.infoHash);
  await clock.advance(0);
  torrent.now = { ...torrent.now, uploaded: 77 };
  queue.stop(torrent.infoHash);
  torrent.now = { ...torrent.now, uploaded: 99 };
  await clock.advance(24 * 60 * MINUTE);
  t.same(http.said.slice(2), ['stopped a.example']);
  t.match(http.announces.at(-1), { event: 'stopped', figures: { uploaded: 77, numWant: 0 } });
  t.equal(clock.pendingTimers, 0, 'a stopped torrent waits for nothing');
  t.match(queue.statuses(torrent.infoHash)[0], { status: 'not contacted', nextAnnounce: 0 });
  queue.start(torrent.infoHash);
  await clock.advance(0);
  t.equal(http.announces.filter(({ event }) => event === 'started').length, 4, 'started again at both');
});

void t.test('stop while the name of a tracker is resolved ends it at once: there is nobody to tell', async (t) => {
  const { clock, http, queue } = setUp();
  http.resolvesNames = false;
  http.script = () => 'hold';
  const torrent = new Torrent();
  queue.add(torrent, [[A], [B]]);
  queue.start(torrent.infoHash);
  await clock.advance(0);
  t.equal(http.held.length, 2);
  queue.remove(torrent.infoHash);
  await clock.advance(0);
  t.equal(http.held.length, 0);
  t.equal(http.announces.length, 2, 'and no stopped is sent');
});

void t.test(
  'what torrents that may reach inside have found out is not told to others, nor the other way',
  async (t) => {
    const { clock, http, queue } = setUp();
    http.script = ({ mayReachInside }) =>
      mayReachInside
        ? trackerFailure('TRACKER_UNREACHABLE', 'connection refused')
        : trackerFailure('TRACKER_REFUSED', 'address not allowed');
    const [insider, other] = [new Torrent(1), new Torrent(2)];
    insider.isInsider = true;
    for (const torrent of [insider, other]) {
      queue.add(torrent, [[A]]);
      queue.start(torrent.infoHash);
      await clock.advance(0);
    }
    t.match(queue.statuses(insider.infoHash), [{ status: 'error: connection refused' }]);
    t.match(queue.statuses(other.infoHash), [{ status: 'error: address not allowed' }]);
    http.script = () => reply();
    [insider.isInsider, other.isInsider] = [false, true];
    queue.retry(insider.infoHash);
    queue.retry(other.infoHash);
    await clock.advance(0);
    t.match(queue.statuses(insider.infoHash), [{ status: 'working' }], 'what may be reached has changed');
  },
);

void t.test('stop during an announce: a known tracker is told at once, a new one after its answer', async (t) => {
  const { clock, http, queue } = setUp();
  const torrent = new Torrent();
  queue.add(torrent, [[A]]);
  http.script = ({ event }) => (event === 'stopped' ? reply() : 'hold');
  queue.start(torrent.infoHash);
  await clock.advance(0);
  queue.stop(torrent.infoHash);
  await clock.advance(0);
  t.same(http.said, ['started a.example'], 'nobody knows yet whether it arrived');
  http.held[0]?.settle(reply({ peers: [{ host: '10.0.0.1', port: 1 }] }));
  await clock.advance(0);
  t.same(http.said, ['started a.example', 'stopped a.example']);
  t.same(torrent.peers, [], 'a stopped torrent gets no peers');

  http.script = () => reply();
  queue.start(torrent.infoHash);
  await clock.advance(0);
  http.script = ({ event }) => (event === 'stopped' ? reply() : 'hold');
  await clock.advance(40 * MINUTE);
  t.equal(http.held.length, 1, 'a regular announce hangs');
  queue.stop(torrent.infoHash);
  await clock.advance(0);
  t.equal(http.held.length, 0, 'it is given up');
  t.equal(http.said.at(-1), 'stopped a.example');
});

void t.test('start, stop, start in one turn ends started; stop, start in one turn says started only', async (t) => {
  const { clock, http, queue } = setUp();
  const torrent = new Torrent();
  queue.add(torrent, [[A]]);
  queue.start(torrent.infoHash);
  queue.stop(torrent.infoHash);
  queue.start(torrent.infoHash);
  await clock.advance(0);
  t.same(http.said, ['started a.example']);
  queue.stop(torrent.infoHash);
  queue.start(torrent.infoHash);
  await clock.advance(1000);
  t.same(http.said, ['started a.example', 'started a.example']);
  t.equal(queue.statuses(torrent.infoHash)[0]?.status, 'working');
});

void t.test(
  'BEP 12: a dead tracker gives way within its tier, and the one that answers goes to the front',
  async (t) => {
    const { clock, http, queue } = setUp();
    const torrent = new Torrent();
    queue.add(torrent, [[A, B]]);
    const first = queue.tiers(torrent.infoHash)[0]?.[0] ?? '';
    const second = first === A ? B : A;
    http.script = ({ url }) => (url === first ? down : reply());
    queue.start(torrent.infoHash);
    await clock.advance(1000);
    t.same(
      http.announces.map(({ url }) => url),
      [first, second],
    );
    t.same(queue.tiers(torrent.infoHash), [[second, first]]);
    const statuses = queue.statuses(torrent.infoHash);
    t.same(
      statuses.map(({ status }) => status),
      ['working', 'error: connection refused'],
    );
    await clock.advance(2 * 60 * MINUTE);
    t.ok(
      http.announces.slice(2).every(({ url }) => url === second),
      'only the one that works is asked from then on',
    );
  },
);

void t.test('all tiers are announced to, each by its own tracker, HTTP and UDP alike', async (t) => {
  const { clock, http, udp, queue } = setUp();
  const torrent = new Torrent();
  queue.add(torrent, [[A], [B], [C]]);
  queue.start(torrent.infoHash);
  await clock.advance(0);
  t.same(http.said.sort(), ['started a.example', 'started b.example']);
  t.same(udp.said, ['started c.example:80']);
});

void t.test('failures back off: 17.5 s, 55 s, 117.5 s, … within ten per cent; the message is shown', async (t) => {
  const { clock, http, queue } = setUp();
  const torrent = new Torrent();
  const at: number[] = [];
  http.script = () => {
    at.push(clock.nowMs());
    return trackerFailure('TRACKER_FAILURE', 'unregistered torrent');
  };
  queue.add(torrent, [[A]]);
  queue.start(torrent.infoHash);
  await clock.advance(5 * MINUTE);
  const gaps = at.slice(1).map((ms, i) => (ms - at[i]!) / 1000);
  t.equal(gaps.length, 3);
  [17.5, 55, 117.5].forEach((delay, i) => {
    t.ok(gaps[i]! >= delay * 0.9 - 0.001 && gaps[i]! <= delay * 1.1 + 0.001, `${gaps[i]} s, seed ${SEED}`);
  });
  t.equal(queue.statuses(torrent.infoHash)[0]?.status, 'error: unregistered torrent');
});

void t.test('a tracker that cannot be reached is not asked again for each torrent', async (t) => {
  const { clock, http, queue } = setUp();
  http.script = () => down;
  const torrents = Array.from({ length: 200 }, (_, i) => new Torrent(i + 1));
  for (const torrent of torrents) queue.add(torrent, [[A]]);
  for (const torrent of torrents) queue.start(torrent.infoHash);
  await clock.advance(10_000);
  t.ok(http.announces.length <= 8, `${http.announces.length} attempts`);
  t.ok(torrents.every(({ infoHash }) => queue.statuses(infoHash)[0]?.status === 'error: connection refused'));
  http.script = () => reply();
  await clock.advance(2 * MINUTE);
  t.ok(
    torrents.every(({ infoHash }) => queue.statuses(infoHash)[0]?.status === 'working'),
    'all come back',
  );
});

void t.test('requestPeers waits for the minimum interval, and does not disturb a back-off', async (t) => {
  const { clock, http, queue } = setUp();
  const torrent = new Torrent();
  http.script = () => reply({ intervalSec: 1800, minIntervalSec: 400 });
  queue.add(torrent, [[A]]);
  queue.start(torrent.infoHash);
  await clock.advance(1000);
  queue.requestPeers(torrent.infoHash);
  await clock.advance(398_000);
  t.equal(http.announces.length, 1);
  http.script = () => trackerFailure('TRACKER_FAILURE', 'busy');
  await clock.advance(1000);
  t.equal(http.announces.length, 2);
  queue.requestPeers(torrent.infoHash);
  await clock.advance(15_000);
  t.equal(http.announces.length, 2);
  await clock.advance(10_000);
  t.equal(http.announces.length, 3);
});

void t.test('trackers can be added to and taken from a running torrent', async (t) => {
  const { clock, http, queue } = setUp();
  const torrent = new Torrent();
  queue.add(torrent, [[A]]);
  queue.start(torrent.infoHash);
  await clock.advance(0);
  queue.addTrackers(torrent.infoHash, [A, B, B]);
  await clock.advance(0);
  t.same(http.said, ['started a.example', 'started b.example']);
  t.same(queue.tiers(torrent.infoHash), [[A], [B]]);
  queue.removeTracker(torrent.infoHash, A);
  queue.removeTracker(torrent.infoHash, 'http://absent.example/');
  await clock.advance(0);
  t.equal(http.said.at(-1), 'stopped a.example');
  t.same(queue.tiers(torrent.infoHash), [[B]]);
  await clock.advance(3 * 60 * MINUTE);
  t.ok(http.said.slice(3).every((said) => said === 'none b.example'));
});

void t.test('URLs that must not be used are shown, never asked', async (t) => {
  const { clock, http, udp, queue } = setUp();
  const torrent = new Torrent();
  const urls = ['wss://a.example/announce', 'http://x.example/?info_hash=1', 'udp:///announce', 'nonsense'];
  queue.add(
    torrent,
    urls.map((url) => [url]),
  );
  queue.start(torrent.infoHash);
  await clock.advance(24 * 60 * MINUTE);
  t.equal(http.announces.length + udp.announces.length, 0);
  t.same(
    queue.statuses(torrent.infoHash).map(({ status }) => status),
    ['disabled', 'error: URL already holds announce parameters', 'error: URL without a host', 'disabled'],
  );
});

void t.test('a torrent with ten thousand trackers makes us knock at thirty', async (t) => {
  const { clock, http, queue } = setUp();
  const torrent = new Torrent();
  queue.add(
    torrent,
    Array.from({ length: 10_000 }, (_, i) => [`http://t${i}.example/announce`]),
  );
  queue.start(torrent.infoHash);
  await clock.advance(10_000);
  t.equal(http.announces.length, 30);
});

void t.test('tracker ids are sent back, our address is passed on, identity is the current one', async (t) => {
  const { clock, http, queue, externalIps } = setUp();
  const torrent = new Torrent();
  http.script = () => reply({ trackerId: 'abc', externalIp: '198.51.100.7' });
  queue.add(torrent, [[A]]);
  queue.start(torrent.infoHash);
  await clock.advance(0);
  http.script = () => reply();
  await clock.advance(80 * MINUTE);
  t.same(
    http.announces.map(({ trackerId }) => trackerId),
    [null, 'abc', 'abc'],
  );
  t.same(externalIps, ['198.51.100.7']);
  t.same(http.announces[0]?.identity, IDENTITY);
});

void t.test('where announces bring no figures, scrapes do, sixty torrents at a time', async (t) => {
  const { clock, http, queue } = setUp();
  http.script = () => reply({ seeds: null, leechers: null });
  http.scrapeScript = ({ infoHashes }) => ({
    kind: 'scraped',
    files: new Map(infoHashes.map((infoHash) => [infoHash, { seeds: 7, leechers: 8, downloaded: 9 }])),
  });
  const torrents = Array.from({ length: 130 }, (_, i) => new Torrent(i + 1));
  for (const torrent of torrents) {
    queue.add(torrent, [[A]]);
    queue.start(torrent.infoHash);
  }
  await clock.advance(20_000);
  t.ok(http.scrapes.every(({ infoHashes }) => infoHashes.length <= 60));
  t.ok(http.scrapes.length <= 4, `${http.scrapes.length} scrapes`);
  for (const torrent of torrents) {
    t.match(queue.statuses(torrent.infoHash)[0], { seeds: 7, peers: 8, downloaded: 9, status: 'working' });
  }
});

void t.test('remove says stopped and forgets; a removed torrent gets nothing more', async (t) => {
  const { clock, http, queue, errors } = setUp();
  const torrent = new Torrent();
  queue.add(torrent, [[A]]);
  queue.start(torrent.infoHash);
  await clock.advance(0);
  queue.remove(torrent.infoHash);
  t.same(queue.statuses(torrent.infoHash), []);
  await clock.advance(24 * 60 * MINUTE);
  t.same(http.said, ['started a.example', 'stopped a.example']);
  t.equal(clock.pendingTimers, 0);
  for (const act of ['start', 'stop', 'completed', 'requestPeers', 'remove'] as const) queue[act](torrent.infoHash);
  await clock.advance(MINUTE);
  t.equal(http.announces.length, 2);
  t.same(errors, []);
});

void t.test('close: stopped reaches 1,000 torrents’ trackers, then everything is let go', async (t) => {
  const { clock, http, udp, queue } = setUp();
  const torrents = Array.from({ length: 1000 }, (_, i) => new Torrent(i + 1));
  for (const torrent of torrents) {
    queue.add(torrent, [[A]]);
    queue.start(torrent.infoHash);
  }
  await clock.advance(2 * MINUTE);
  t.equal(http.announces.length, 1000);
  let slowMs = 0;
  http.script = (request) => {
    if (request.event === 'stopped') slowMs = Math.max(slowMs, clock.nowMs());
    return reply();
  };
  const closed = queue.close(5000);
  await clock.advance(5000);
  await closed;
  t.equal(http.announces.filter(({ event }) => event === 'stopped').length, 1000);
  t.ok(http.closed && udp.closed);
  t.equal(clock.pendingTimers, 0);
});

void t.test('close does not wait longer than it may for a tracker that is silent', async (t) => {
  const { clock, http, queue } = setUp();
  const [known, fresh] = [new Torrent(1), new Torrent(2)];
  queue.add(known, [[A]]);
  queue.start(known.infoHash);
  await clock.advance(0);
  http.script = () => 'hold';
  queue.add(fresh, [[B]]);
  queue.start(fresh.infoHash);
  await clock.advance(0);
  let closed = false;
  const closing = queue.close(3000).then(() => (closed = true));
  await clock.advance(2999);
  t.notOk(closed);
  t.same(
    http.held.map(({ request }) => request.event),
    ['stopped'],
    'the first announce of the other is given up',
  );
  await clock.advance(1);
  await closing;
  t.equal(http.held.length, 0);
  t.equal(clock.pendingTimers, 0);
  queue.start(fresh.infoHash);
  await clock.advance(MINUTE);
  t.equal(clock.pendingTimers, 0, 'nothing starts after close');
});

void t.test('a client that throws is a bug of ours, and the torrent goes on', async (t) => {
  const { clock, http, queue, errors } = setUp();
  const torrent = new Torrent();
  http.script = () => {
    throw new Error('boom');
  };
  queue.add(torrent, [[A]]);
  queue.start(torrent.infoHash);
  await clock.advance(0);
  t.match(errors, [/^bug/]);
  http.script = () => reply();
  await clock.advance(MINUTE);
  t.equal(queue.statuses(torrent.infoHash)[0]?.status, 'working');
});

void t.test('ten thousand idle torrents cost less than 1 KB each and one timer', async (t) => {
  const { clock, queue } = setUp();
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void; // typed nowhere: the flag makes V8 define it
  const torrents = Array.from({ length: 10_000 }, (_, i) => new Torrent(i + 1));
  collect();
  const before = process.memoryUsage().heapUsed;
  for (const torrent of torrents) {
    queue.add(torrent, [['http://tracker.example/0123456789abcdef0123456789abcdef/announce']]);
    queue.start(torrent.infoHash);
  }
  collect();
  const each = (process.memoryUsage().heapUsed - before) / torrents.length;
  t.ok(each < 1024, `${Math.round(each)} bytes each`);
  t.equal(clock.pendingTimers, 1);
  t.equal(queue.statuses(torrents[0]!.infoHash).length, 1);
});

void t.test(
  'tiers are rearranged: what stays keeps its figures, what goes hears stopped, what is new started',
  async (t) => {
    const { clock, http, udp, queue } = setUp();
    const torrent = new Torrent();
    http.script = () => reply({ seeds: 7 });
    queue.add(torrent, [[A], [B]]);
    queue.start(torrent.infoHash);
    await clock.advance(0);
    queue.setTiers(torrent.infoHash, [[C], [A]]);
    await clock.advance(0);
    t.same(queue.tiers(torrent.infoHash), [[C], [A]]);
    t.same(http.said, ['started a.example', 'started b.example', 'stopped b.example'], 'A is not told again');
    t.same(udp.said, ['started c.example:80']);
    t.match(queue.statuses(torrent.infoHash), [
      { url: C, tier: 0 },
      { url: A, tier: 1, status: 'working', seeds: 7 },
    ]);
    queue.setTiers(torrent.infoHash, [[A, C]]);
    await clock.advance(35 * MINUTE);
    const later = [...http.said.slice(3), ...udp.said.slice(1)];
    t.same(later, ['none a.example'], 'one speaks for a tier');
    queue.setTiers(torrent.infoHash, []);
    await clock.advance(0);
    t.same(queue.tiers(torrent.infoHash), []);
    t.equal(http.said.at(-1), 'stopped a.example');
    t.equal(udp.said.at(-1), 'stopped c.example:80');
    t.equal(clock.pendingTimers, 0);
  },
);

void t.test('trackers that are rearranged while they are announced to hear nothing twice', async (t) => {
  const { clock, http, queue } = setUp();
  const torrent = new Torrent();
  http.script = () => 'hold';
  queue.add(torrent, [[A], [B]]);
  queue.start(torrent.infoHash);
  await clock.advance(0);
  t.equal(http.held.length, 2);
  queue.setTiers(torrent.infoHash, [[B, A]]);
  await clock.advance(0);
  t.equal(http.announces.length, 2);
  http.script = () => reply();
  for (const held of [...http.held]) held.settle(reply());
  await clock.advance(0);
  t.equal(http.announces.length, 2);
  await clock.advance(35 * MINUTE);
  t.equal(http.announces.length, 3, 'one of the tier');
});

void t.test('an announce at a wish waits for the minimum interval, and for a pause after a failure', async (t) => {
  const { clock, http, queue } = setUp();
  const torrent = new Torrent();
  http.script = ({ url }) => (url === B ? down : reply({ intervalSec: 1800, minIntervalSec: 300 }));
  queue.add(torrent, [[A], [B]]);
  t.same(queue.announceNow(torrent.infoHash), { announced: 0, waiting: 0, nextAnnounce: 0 }, 'it does not run');
  queue.start(torrent.infoHash);
  await clock.advance(1_000);
  const asked = queue.announceNow(torrent.infoHash);
  t.match(asked, { announced: 0, waiting: 2 });
  const next = () => queue.statuses(torrent.infoHash).map(({ nextAnnounce }) => nextAnnounce);
  t.equal(asked.nextAnnounce, Math.min(...next()), 'what it says is what is shown');
  const startedSec = Math.floor(clock.unixMs() / 1_000);
  t.ok(next()[0]! >= startedSec + 298 && next()[0]! <= startedSec + 300, 'as early as the tracker allows');

  await clock.advance(10 * MINUTE);
  const before = http.said.length;
  t.match(queue.announceNow(torrent.infoHash), { announced: 1, waiting: 1 });
  await clock.advance(0);
  t.same(http.said.slice(before), ['none a.example'], 'the other one is out of reach for all torrents');
  t.match(queue.announceNow(torrent.infoHash), { announced: 0, waiting: 2 });
  await clock.advance(0);
  t.equal(http.said.length, before + 1);
});

void t.test('a refused torrent may be asked for again after five seconds, as often as somebody does', async (t) => {
  const { clock, http, queue } = setUp();
  const torrent = new Torrent();
  http.script = () => trackerFailure('TRACKER_FAILURE', 'unregistered torrent');
  queue.add(torrent, [[A]]);
  queue.start(torrent.infoHash);
  await clock.advance(0);
  t.match(queue.statuses(torrent.infoHash), [{ answered: false, fails: 1, message: 'unregistered torrent' }]);
  t.match(queue.announceNow(torrent.infoHash), { announced: 0, waiting: 1 }, 'not at once');
  for (let asked = 2; asked <= 10; asked++) {
    await clock.advance(7_000);
    queue.announceNow(torrent.infoHash);
    await clock.advance(0);
  }
  t.ok(http.announces.length >= 10, `${http.announces.length} announces in a minute`);
  http.script = () => reply({ minIntervalSec: 600, warning: 'be kind' });
  await clock.advance(7_000);
  t.match(queue.announceNow(torrent.infoHash), { announced: 1 });
  await clock.advance(0);
  t.match(queue.statuses(torrent.infoHash), [{ answered: true, fails: 0, message: 'be kind', minInterval: 600 }]);
  const before = http.announces.length;
  for (let second = 0; second < 60; second++) {
    queue.announceNow(torrent.infoHash);
    await clock.advance(1_000);
  }
  t.equal(http.announces.length, before, 'one that has answered is asked again by its own rule');
});
