// Who waits for a turn at hashing. Accounts come in turn, whatever the number and size of what each of them has; of one
// account what has had no turn comes before what gave one up, so that what is short is done soon, and what gave one up is
// taken up in the order it was begun, so that of what is long one after another is finished.
import type { AccountId } from '../../shared-protocol/ids.js';

/** Jobs of an account held open on a device: past so many nothing new of it is begun there before one is done. */
const MAX_BEGUN = 4;

export interface Waiting {
  readonly account: AccountId;
  /** A number that all jobs on one device have in common. */
  readonly device: number;
  /** Whether it has had a turn. */
  readonly isBegun: boolean;
  /** Place in the order in which the jobs that were begun were asked for. */
  readonly number: number;
}

export class CheckLines<Job extends Waiting> {
  /** The account that comes next is the first one. An account without anything waiting is not kept. */
  readonly #accounts = new Map<AccountId, Map<number, Line<Job>>>();

  add(job: Job): void {
    let lines = this.#accounts.get(job.account);
    if (!lines) this.#accounts.set(job.account, (lines = new Map<number, Line<Job>>()));
    let line = lines.get(job.device);
    if (!line) lines.set(job.device, (line = new Line()));
    line.add(job);
  }

  delete(job: Job): void {
    const lines = this.#accounts.get(job.account);
    const line = lines?.get(job.device);
    if (!lines || !line) return;
    line.delete(job);
    if (line.isEmpty) lines.delete(job.device);
    if (lines.size === 0) this.#accounts.delete(job.account);
  }

  clear(): void {
    this.#accounts.clear();
  }

  /** The next one whose device is not busy; its account is the last one then. */
  take(busy: ReadonlySet<number>): Job | null {
    for (const [account, lines] of this.#accounts) {
      for (const [device, line] of lines) {
        const job = busy.has(device) ? null : line.next();
        if (!job) continue;
        this.delete(job);
        this.#accounts.delete(account);
        if (lines.size > 0) this.#accounts.set(account, lines);
        return job;
      }
    }
    return null;
  }

  /** Whether another job would go on if the job gave up its turn while these devices are busy. */
  isAnyBefore(job: Job, busy: ReadonlySet<number>): boolean {
    for (const [account, lines] of this.#accounts) {
      for (const [device, line] of lines) {
        if (!busy.has(device) && (account !== job.account || line.hasNewBeside(job))) return true;
      }
    }
    return false;
  }
}

/** The jobs of one account on one device. */
class Line<Job extends Waiting> {
  readonly #fresh = new Set<Job>();
  readonly #begun = new Set<Job>();

  get isEmpty(): boolean {
    return this.#fresh.size + this.#begun.size === 0;
  }

  add(job: Job): void {
    (job.isBegun ? this.#begun : this.#fresh).add(job);
  }

  delete(job: Job): void {
    this.#fresh.delete(job);
    this.#begun.delete(job);
  }

  next(): Job | null {
    const [fresh] = this.#begun.size < MAX_BEGUN ? this.#fresh : [];
    if (fresh) return fresh;
    let first: Job | null = null;
    for (const job of this.#begun) if (!first || job.number < first.number) first = job;
    return first;
  }

  /** There is one that has had no turn, and that would be begun if the job waited as well. */
  hasNewBeside({ device }: Job): boolean {
    const [fresh] = this.#fresh;
    if (!fresh) return false;
    return this.#begun.size + (fresh.device === device ? 1 : 0) < MAX_BEGUN;
  }
}
