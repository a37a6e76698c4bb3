// Which limits a torrent has a part of: its account's, or of several who run it the most generous one's.
import t from 'tap';
import { AccountLimits } from '../../../../engine/session/account-limits.js';
import { RateLimiter } from '../../../../engine/net/rate-limiter.js';
import { runBy } from '../../../../engine/torrent/holders.js';
import { parseAccountId } from '../../../../shared-protocol/ids.js';
import type { HolderRow, TorrentRow } from '../../../../storage/types.js';
import { VirtualClock } from '../../../support/virtual-clock.js';

const BOB = parseAccountId(2);
const EVE = parseAccountId(3);

void t.test('the most generous of those who run it, in each direction', async (t) => {
  const clock = new VirtualClock();
  const limiters = { down: new RateLimiter(clock), up: new RateLimiter(clock) };
  const limits = new AccountLimits(limiters, [
    { accountId: BOB, downBytesPerSec: 10, upBytesPerSec: 0 },
    { accountId: EVE, downBytesPerSec: 20, upBytesPerSec: 5 },
  ]);
  const [bob, eve, both] = [limits.groupsOf([BOB]), limits.groupsOf([EVE]), limits.groupsOf([EVE, BOB])];
  t.equal(both.down, eve.down);
  t.equal(both.up, bob.up, 'who has no limit is the most generous');
  t.equal(limits.groupsOf([BOB]).down, bob.down, 'the same for all torrents of an account');
  limits.set([{ accountId: EVE, downBytesPerSec: 20, upBytesPerSec: 5 }]);
  t.equal(limits.groupsOf([EVE, BOB]).down, bob.down);
  const torrent = limiters.down.torrent();
  torrent.join(eve.down);
  t.ok(torrent.client(() => undefined).isLimited);
  torrent.join(bob.down);
  t.notOk(torrent.client(() => undefined).isLimited, 'what is left out has no limit any more');
});

void t.test('a torrent is uploaded while any of those who run it may', async (t) => {
  const clock = new VirtualClock();
  const stopped = { accountId: BOB, downBytesPerSec: 0, upBytesPerSec: 0, isUploadStopped: true } as const;
  const limits = new AccountLimits({ down: new RateLimiter(clock), up: new RateLimiter(clock) }, [stopped]);
  t.same([limits.mayUpload([BOB]), limits.mayUpload([EVE]), limits.mayUpload([BOB, EVE])], [false, true, true]);
  limits.set([]);
  t.ok(limits.mayUpload([BOB]));
});

void t.test('those who run it: its owner, or the holders who have not paused it', async (t) => {
  const holder = (accountId: typeof BOB, paused: boolean) => ({ accountId, paused }) as HolderRow;
  const row = (holders: HolderRow[] | null) => ({ ownerId: BOB, holders }) as TorrentRow;
  t.same(runBy(row(null)), [BOB]);
  t.same(runBy(row([holder(BOB, true), holder(EVE, false)])), [EVE]);
  t.same(runBy(row([holder(BOB, true), holder(EVE, true)])), [BOB, EVE]);
});
