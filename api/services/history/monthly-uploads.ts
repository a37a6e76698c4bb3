// What accounts have uploaded this month, where administrators have bounded that (`up_bytes_month`): whoever has uploaded as
// much uploads nothing more, and adds nothing, until the next month of UTC begins. Measured by the traffic history of the front
// that leads, and kept for all fronts; of what two of them have measured the greater counts, as one was there for more of it.
import { z } from 'zod';
import type { AccountId } from '../../../shared-protocol/ids.js';
import { pointAt, type TrafficHistory } from '../../../storage/traffic-history.js';
import type { Collection } from '../../../storage/types.js';
import { unixSecondsOf, type Clock } from '../../clocks.js';
import type { Log } from '../../logging.js';
import type { Account } from '../../auth/account.js';
import type { BackgroundService } from '../background-service.js';
import { RegularLook } from '../fleet/regular-look.js';
import { boundOf, quotaOf } from '../library/account-quota.js';
import type { Accounts } from '../accounts/accounts.js';
import { monthAt, type Month } from './month.js';
import type { TrafficRecorder } from './recorder.js';
import { totalSeries } from './series-name.js';

/** Until then an account may upload beyond its bound. */
export const CHECK_MS = 30_000;
/** A bound's parts, by which what was measured has to grow before it is stored. */
const STEPS = 100;

export const uploadMonthSchema = z.object({
  /** The name of the month; empty: none was measured. */
  month: z.string(),
  uploaded: z.array(
    z.object({
      account_id: z.int(),
      bytes: z.number(),
      /** Whether the account was told that this is as much as it may. */
      is_told: z.boolean(),
    }),
  ),
});
export type UploadMonthData = z.infer<typeof uploadMonthSchema>;
export const NO_UPLOAD_MONTH: UploadMonthData = { month: '', uploaded: [] };
type Entry = UploadMonthData['uploaded'][number];
const NOTHING: ReadonlyMap<number, Entry> = new Map();

type Bounded = Pick<Account, 'id' | 'role' | 'quota'>;

export interface MonthlyUploadsDeps {
  readonly collection: Collection<UploadMonthData>;
  readonly accounts: Pick<Accounts, 'all'>;
  readonly store: Pick<TrafficHistory, 'points'>;
  readonly recorder: Pick<TrafficRecorder, 'settle'>;
  readonly clock: Clock;
  /** Others may upload than before. */
  readonly onChanged: () => Promise<void>;
  /** The account has just used up what it may upload. */
  readonly onUsedUp: (id: AccountId, month: Month) => void;
  readonly log: Pick<Log, 'warn'>;
}

export class MonthlyUploads implements BackgroundService {
  readonly #look: RegularLook;
  /** Accounts that may not upload, as listeners were told last. */
  #told = '';
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly deps: MonthlyUploadsDeps) {
    this.#look = new RegularLook(deps.clock, CHECK_MS, () => this.check());
    deps.collection.onChanged(() => void this.#next(() => this.#tell()));
  }

  start(): void {
    this.#look.start();
  }

  stop(): Promise<void> {
    return this.#look.stop();
  }

  /** The month that is now. */
  get month(): Month {
    return monthAt(this.deps.clock.unixMs());
  }

  /** Whether the account has uploaded as much as it may this month, as far as that was measured. */
  isUsedUp(account: Bounded): boolean {
    return this.#recordedOf(account.id) >= allowedFor(account);
  }

  /** Bytes of this month, by the account's torrents. */
  async of({ id }: Pick<Account, 'id'>): Promise<number> {
    await this.deps.recorder.settle();
    return Math.max(await this.#measure(id), this.#recordedOf(id));
  }

  /** Measures the accounts that have a bound, and tells whoever has to know. Never rejects. */
  check(): Promise<void> {
    return this.#next(() => this.#checkNow());
  }

  /** One after another: each goes by the accounts as they are when its turn has come. */
  #next(run: () => Promise<void>): Promise<void> {
    const { log } = this.deps;
    this.#last = this.#last
      .then(run)
      .catch((error: unknown) => log.warn('uploads of the month not counted', { reason: String(error) }));
    return this.#last;
  }

  async #checkNow(): Promise<void> {
    const bounded = this.deps.accounts.all.filter((account) => allowedFor(account) < Infinity);
    if (bounded.length > 0) await this.deps.recorder.settle();
    const measured = new Map<AccountId, number>();
    for (const { id } of bounded) measured.set(id, await this.#measure(id));
    if (bounded.some((account) => this.#isNews(account, measured.get(account.id)!))) await this.#record(measured);
    await this.#tell();
  }

  /** Whether what was measured of an account is to be stored. */
  #isNews(account: Bounded, bytes: number): boolean {
    const allowed = allowedFor(account);
    const { bytes: before, is_told: isTold } = this.#entryOf(account.id);
    return bytes - before >= allowed / STEPS || Math.max(bytes, before) >= allowed !== isTold;
  }

  async #record(measured: ReadonlyMap<AccountId, number>): Promise<void> {
    const { collection, accounts, onUsedUp } = this.deps;
    const { month } = this;
    const usedUp: AccountId[] = [];
    await collection.update((data) => {
      const known = data.month === month.name ? new Map(data.uploaded.map((each) => [each.account_id, each])) : NOTHING;
      usedUp.length = 0;
      data.month = month.name;
      data.uploaded = accounts.all.flatMap((account) => {
        const { id } = account;
        const before = known.get(id);
        const bytes = Math.max(before?.bytes ?? 0, measured.get(id) ?? 0);
        if (bytes === 0) return [];
        const isUsedUp = bytes >= allowedFor(account);
        if (isUsedUp && !before?.is_told) usedUp.push(id);
        return [{ account_id: id, bytes, is_told: isUsedUp }];
      });
    });
    for (const id of usedUp) onUsedUp(id, month);
  }

  async #tell(): Promise<void> {
    const now = this.deps.accounts.all.flatMap((account) => (this.isUsedUp(account) ? [account.id] : [])).join();
    if (now === this.#told) return;
    await this.deps.onChanged();
    this.#told = now;
  }

  /** Returns what this front's history has. */
  async #measure(id: AccountId): Promise<number> {
    const now = unixSecondsOf(this.deps.clock);
    const range = { first: this.month.firstDay, last: pointAt('day', now) };
    const days = await this.deps.store.points(totalSeries(id), 'day', range);
    return days.reduce((sum, { up }) => sum + up, 0);
  }

  #recordedOf(id: AccountId): number {
    return this.#entryOf(id).bytes;
  }

  #entryOf(id: AccountId): Omit<Entry, 'account_id'> {
    const { month, uploaded } = this.deps.collection.data;
    const known = month === this.month.name ? uploaded.find(({ account_id }) => account_id === id) : undefined;
    return known ?? { bytes: 0, is_told: false };
  }
}

/** Infinity where nothing bounds the account. */
function allowedFor(account: Bounded): number {
  return boundOf(quotaOf(account)?.up_bytes_month);
}
