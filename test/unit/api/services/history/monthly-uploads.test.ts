// What an account may upload in a month: measured by the history, kept for all fronts, and over when the next month begins.
import t from 'tap';
import { firstAdmin, type Account } from '../../../../../api/auth/account.js';
import { AccountSpeeds } from '../../../../../api/services/accounts/account-speeds.js';
import { monthAt } from '../../../../../api/services/history/month.js';
import {
  CHECK_MS,
  MonthlyUploads,
  NO_UPLOAD_MONTH,
  uploadMonthSchema,
} from '../../../../../api/services/history/monthly-uploads.js';
import { totalSeries } from '../../../../../api/services/history/series-name.js';
import { NO_QUOTA } from '../../../../../shared-protocol/dto/accounts.js';
import { parseAccountId } from '../../../../../shared-protocol/ids.js';
import { openTrafficHistory } from '../../../../../storage/lmdb-traffic-history.js';
import { SILENT_LOG } from '../../../../support/api-harness.js';
import { MemoryCollection } from '../../../../support/memory-collection.js';
import { temporaryDirectory } from '../../../../support/temporary-directory.js';
import { VirtualClock } from '../../../../support/virtual-clock.js';

const NOVEMBER_S = Date.UTC(2026, 10, 1) / 1_000;
const DECEMBER_S = Date.UTC(2026, 11, 1) / 1_000;
const DAY_S = 86_400;
const ADMIN = firstAdmin('', 0);
const user = (id: number, up_bytes_month: number): Account => ({
  ...ADMIN,
  ...{ id: parseAccountId(id), role: 'user', quota: { ...NO_QUOTA, up_bytes_month } },
});

type Kept = MemoryCollection<typeof NO_UPLOAD_MONTH>;
const kept = (): Kept => new MemoryCollection(NO_UPLOAD_MONTH, (data) => uploadMonthSchema.parse(data));

/** A front with a history of its own. */
class Front {
  readonly clock = new VirtualClock();
  readonly told: string[] = [];
  readonly uploads: MonthlyUploads;
  readonly speeds: AccountSpeeds;
  unixS = NOVEMBER_S;
  accounts: Account[] = [ADMIN, user(2, 1_000), user(3, 0)];

  private constructor(
    private readonly store: ReturnType<typeof openTrafficHistory>,
    readonly collection: Kept,
  ) {
    const all = () => this.accounts;
    const now = { nowMs: () => this.clock.nowMs(), unixMs: () => this.unixS * 1_000 };
    const clock = { ...now, after: (ms: number, run: () => void) => this.clock.after(ms, run) };
    const holder = {
      get all() {
        return all();
      },
    };
    this.uploads = new MonthlyUploads({
      ...{ collection, store, accounts: holder, clock, log: SILENT_LOG, recorder: { settle: () => Promise.resolve() } },
      onChanged: () => this.speeds.apply(),
      onUsedUp: (id, { next }) => this.told.push(`${id} until ${next}`),
    });
    const setAccountLimits = ({ limits }: { limits: readonly object[] }) =>
      Promise.resolve(void this.told.push(JSON.stringify(limits)));
    this.speeds = new AccountSpeeds({
      accounts: holder,
      uploads: this.uploads,
      engine: { client: { setAccountLimits } },
    });
  }

  static async begin(collection = kept()): Promise<Front> {
    return new Front(openTrafficHistory(await temporaryDirectory()), collection);
  }

  async upload(id: number, up: number, at = this.unixS): Promise<void> {
    const moved = new Map([[totalSeries(parseAccountId(id)), { down: 7, up }]]);
    await this.store.add([{ at, forgotten: [], moved, counters: new Map() }]);
  }

  /** What was told since the last time. */
  news(): string[] {
    return this.told.splice(0);
  }
}

const STOPPED = '[{"accountId":2,"downBytesPerSec":0,"upBytesPerSec":0,"isUploadStopped":true}]';

void t.test('stopped at the bound, and free again with the next month', async (t) => {
  const front = await Front.begin();
  const { uploads } = front;
  const [, bob, eve] = front.accounts;
  await front.upload(2, 5_000, NOVEMBER_S - 1);
  await front.upload(2, 999);
  await front.upload(3, 5_000);
  await uploads.check();
  t.same(front.news(), [], 'October counts for nothing, and who has no bound is not measured');
  front.unixS += 20 * DAY_S;
  await front.upload(2, 1);
  await uploads.check();
  t.same(front.news(), ['2 until 2026-12-01', STOPPED]);
  t.same([uploads.isUsedUp(bob!), uploads.isUsedUp(eve!), uploads.isUsedUp(ADMIN)], [true, false, false]);
  t.same([await uploads.of(bob!), await uploads.of(eve!)], [1_000, 5_000]);
  await uploads.check();
  t.same(front.news(), [], 'said once');
  front.unixS = DECEMBER_S;
  t.notOk(uploads.isUsedUp(bob!), 'at once');
  await uploads.check();
  t.same(front.news(), ['[]']);
  t.equal(await uploads.of(bob!), 0);
});

void t.test('another bound holds at once, and an account that is an administrator has none', async (t) => {
  const front = await Front.begin();
  await front.upload(2, 600);
  await front.uploads.check();
  front.accounts = [ADMIN, user(2, 600)];
  await front.uploads.check();
  t.same(front.news(), ['2 until 2026-12-01', STOPPED]);
  front.accounts = [ADMIN, user(2, 601)];
  await front.uploads.check();
  t.same(front.news(), ['[]']);
  await front.upload(2, 1);
  await front.uploads.check();
  t.same(front.news(), ['2 until 2026-12-01', STOPPED], 'told again');
  front.accounts = [ADMIN, { ...user(2, 1), role: 'admin' }];
  await front.uploads.check();
  t.same(front.news(), ['[]']);
});

void t.test('a front that has seen less goes by what another one has seen', async (t) => {
  const collection = kept();
  const [first, second] = [await Front.begin(collection), await Front.begin(collection)];
  await first.upload(2, 1_000);
  await second.upload(2, 10);
  await first.uploads.check();
  await second.uploads.check();
  t.same(first.news(), ['2 until 2026-12-01', STOPPED]);
  t.same(second.news(), [STOPPED], 'the account was told by the first');
  t.equal(await second.uploads.of(second.accounts[1]!), 1_000);
});

void t.test('looked at again and again while the front leads', async (t) => {
  const front = await Front.begin();
  await front.upload(2, 1_000);
  front.uploads.start();
  await front.clock.advance(CHECK_MS);
  await front.uploads.check();
  t.ok(front.uploads.isUsedUp(front.accounts[1]!));
  await front.uploads.stop();
});

void t.test('of accounts that have gone nothing is kept', async (t) => {
  const front = await Front.begin();
  await front.upload(2, 500);
  await front.uploads.check();
  front.accounts = [ADMIN, user(4, 100)];
  await front.upload(4, 50);
  await front.uploads.check();
  t.same(front.collection.data, { month: '2026-11', uploaded: [{ account_id: 4, bytes: 50, is_told: false }] });
});

void t.test('months of UTC', async (t) => {
  t.same(monthAt(Date.UTC(2026, 11, 31, 23, 59)), {
    name: '2026-12',
    firstDay: DECEMBER_S / DAY_S,
    next: '2027-01-01',
  });
  t.equal(monthAt(Date.UTC(2028, 1, 29)).next, '2028-03-01');
});
