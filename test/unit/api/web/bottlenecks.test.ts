// Why a torrent is slow, told from what the page knows.
import t from 'tap';
import { NO_QUOTA, type AccountQuota, type QuotaUsageDto } from '../../../../shared-protocol/dto/accounts.js';
import type { PeerDto } from '../../../../shared-protocol/dto/inspector.js';
import { bottlenecksOf, type BottleneckFacts } from '../../../../api/web/src/features/details/bottlenecks.js';
import { torrent } from './torrent-samples.js';

const MIB = 1024 ** 2;
const AT_REST = { down: 0, up: 0 };

function peer(flags: string, progress = 1): PeerDto {
  return {
    ...{ ip: '192.0.2.1', port: 1, client: '', flags, progress, download_rate: 0, upload_rate: 0 },
    ...{ total_down: 0, total_up: 0, country: '' },
  };
}

function of(facts: Partial<BottleneckFacts>) {
  const none = { torrent: torrent('a'), peers: [], ownLimits: null, account: null, sharedLimits: null, total: AT_REST };
  return bottlenecksOf({ ...none, ...facts });
}

void t.test('what hinders it altogether comes alone', async (t) => {
  t.same(of({ torrent: torrent('a', { files_missing: true }) }), [{ kind: 'missing' }]);
  t.same(of({ torrent: torrent('a', { error: { code: 'DISK_FULL', message: '' } }) }), [{ kind: 'disk' }]);
  t.same(of({ torrent: torrent('a', { paused: true }) }), [{ kind: 'stopped' }]);
  t.same(of({ torrent: torrent('a', { queued: true, queue_position: 7 }) }), [{ kind: 'queued', position: 7 }]);
  t.same(of({ torrent: torrent('a', { total_bytes: 0, peers: 1 }) }), [{ kind: 'metadata' }]);
  t.same(of({ torrent: torrent('a', { total_bytes: 0 }) }), [{ kind: 'noPeers', swarm: -1 }]);
  t.same(of({ peers: null }), [], 'nothing is said before its peers are known');
});

void t.test('a limit is named when the rate is at it', async (t) => {
  const fast = torrent('a', { download_rate: MIB, peers: 1 });
  const facts = { torrent: fast, peers: [peer('D')], total: { down: 3 * MIB, up: 0 } };
  const kinds = (more: Partial<BottleneckFacts>) => of({ ...facts, ...more }).map(({ kind }) => kind);
  const limit = (down_kbps: number) => ({ down_kbps, up_kbps: 1 });
  t.same(kinds({ ownLimits: limit(1_024) }), ['ownLimit', 'asFastAsPeers']);
  t.same(kinds({ ownLimits: limit(4_096) }), ['asFastAsPeers'], 'one that is far away is not the reason');
  t.same(kinds({ ownLimits: limit(0) }), ['asFastAsPeers'], '0 is no limit');
  t.same(kinds({ sharedLimits: limit(3_072) }), ['sharedLimit', 'asFastAsPeers']);
  t.same(of({ ...facts, ownLimits: limit(1_024) })[0], { kind: 'ownLimit', limit: MIB });
});

void t.test('a download is as fast as its peers let it', async (t) => {
  t.same(of({ torrent: torrent('a', { swarm_seeds: 3 }) }), [{ kind: 'noPeers', swarm: 3 }]);
  t.same(of({ peers: [peer('dI'), peer('d', 0.5)] }), [{ kind: 'choked', count: 2 }]);
  t.same(of({ peers: [peer('D', 0.5), peer('', 0.25)] }), [{ kind: 'noSeeds', most: 0.5 }]);
  t.same(of({ peers: [peer('DS')] }), [{ kind: 'snubbed', count: 1 }]);
  t.same(of({ peers: [peer('')] }), [{ kind: 'firstPeers' }]);
});

void t.test('an upload is as fast as there are takers', async (t) => {
  const complete = torrent('a', { completed: true, swarm_leechers: 2 });
  t.same(of({ torrent: complete }), [{ kind: 'noLeechers', swarm: 2 }]);
  t.same(of({ torrent: complete, peers: [peer(''), peer('')] }), [{ kind: 'noneInterested', count: 2 }]);
  t.same(of({ torrent: complete, peers: [peer('U'), peer('u')] }), [{ kind: 'slots', count: 1 }]);
  t.same(of({ torrent: complete, peers: [peer('U')] }), [{ kind: 'asFastAsWanted', count: 1 }]);
});

void t.test('what the account may not is the reason for each of its torrents', async (t) => {
  const usage = (quota: Partial<AccountQuota>, used: Partial<QuotaUsageDto['used']>): QuotaUsageDto => ({
    quota: { ...NO_QUOTA, ...quota },
    used: { ...{ bytes: 0, torrents: 0, active: 0, download_rate: 0, upload_rate: 0, up_bytes_month: 0 }, ...used },
  });
  const seeding = torrent('a', { completed: true });
  const facts = { torrent: seeding, peers: [peer('u')] };
  const ofMonth = (bytes: number) => usage({ up_bytes_month: 100 }, { up_bytes_month: bytes });
  t.same(of({ ...facts, account: ofMonth(100) }), [{ kind: 'monthUsedUp' }]);
  t.same(of({ ...facts, account: ofMonth(99) }), [{ kind: 'slots', count: 1 }]);
  t.same(of({ ...facts, account: usage({}, { up_bytes_month: 100 }) }), [{ kind: 'slots', count: 1 }], 'no bound');
  const moving = { ...seeding, upload_rate: 1 };
  t.same(
    of({ ...facts, torrent: moving, account: ofMonth(100) }),
    [{ kind: 'slots', count: 1 }],
    'by another of its own',
  );
  const atLimit = usage({ up_kbps: 1_024 }, { upload_rate: MIB });
  t.same(of({ ...facts, account: atLimit })[0], { kind: 'accountLimit', limit: MIB });
  t.equal(
    of({ ...facts, account: usage({ down_kbps: 1_024 }, { upload_rate: MIB }) })[0]?.kind,
    'slots',
    'the other way',
  );
});
