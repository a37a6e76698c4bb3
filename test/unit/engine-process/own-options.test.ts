// What of a front's word counts at an engine of its own process, and what is kept of it.
import t from 'tap';
import { changedBy, mustRestart, ownOptions, type OwnOptions } from '../../../engine-process/own-options.js';
import { TEST_ENGINE_OPTIONS as SAID } from '../../support/engine-options.js';

const OWN: OwnOptions = {
  ...{ dataDir: '/var/lib/alice', roots: [], sharing: null, peerPort: null, fetchAllow: null },
  logLevel: 'warn',
  userAgent: 'swarmd/2',
};

void t.test('the machine is the operator’s, the rest the front’s', async (t) => {
  t.match(ownOptions({ ...SAID, dataDir: '/etc' }, OWN, null), {
    ...{ dataDir: '/var/lib/alice', logLevel: 'warn', userAgent: 'swarmd/2' },
    ...{ peerPort: SAID.peerPort, fetchAllow: SAID.fetchAllow, encryption: SAID.encryption },
  });
  t.notOk('roots' in ownOptions(SAID, OWN, null));
  t.notOk('backupDir' in ownOptions({ ...SAID, backupDir: '/srv/backups' }, OWN, null), 'a folder of another machine');
  const own = { ...OWN, roots: ['/srv/alice'], peerPort: 6_881, fetchAllow: [] };
  t.match(ownOptions({ ...SAID, peerPorts: [{ first: 1, last: 2 }], roots: ['/'] }, own, null), {
    ...{ roots: ['/srv/alice'], peerPort: 6_881, peerPorts: [], fetchAllow: [] },
  });
});

void t.test('the engine begins again only for what it cannot take on while it runs', async (t) => {
  const has = { ...SAID, peerPort: 0 };
  t.notOk(mustRestart(has, { ...has }, 51_413));
  t.notOk(mustRestart(has, { ...has, peerPort: 51_413, peerPorts: [] }, 51_413), 'the port that it has');
  const live = {
    ...{ rateLimits: { downBytesPerSec: 1, upBytesPerSec: 2 }, insiders: [], maxPeersPerTorrent: 7, adopters: [] },
    ...{ network: { bind: 'wg0', proxy: null }, accountLimits: [] },
    blocklist: [{ ipv4: new SharedArrayBuffer(8), ipv6: new SharedArrayBuffer(0) }],
  };
  t.notOk(mustRestart(has, { ...has, ...live }, 51_413));
  for (const change of [{ peerPort: 7_000 }, { lsd: true }, { encryption: 'required' as const }, { maxPeers: 5 }]) {
    t.ok(mustRestart(has, { ...has, ...change }, 51_413), JSON.stringify(change));
  }
});

void t.test('what a front changes later is kept as well', async (t) => {
  const rateLimits = { downBytesPerSec: 1_000, upBytesPerSec: 0 };
  t.same(changedBy(SAID, 'setRateLimits', rateLimits).rateLimits, rateLimits);
  t.equal(changedBy(SAID, 'setPeerLimits', { maxPeersPerTorrent: 3 }).maxPeersPerTorrent, 3);
  const lists = [{ ipv4: new SharedArrayBuffer(8), ipv6: new SharedArrayBuffer(0) }];
  t.equal(changedBy(SAID, 'setBlocklist', { lists }).blocklist, lists);
  t.match(changedBy(SAID, 'setNetwork', { bind: 'wg0', proxy: null }), { network: { bind: 'wg0' } });
  t.equal(changedBy(SAID, 'health', {}), SAID, 'the same for any other');
});
