// Torrents waiting for what is on disk to be hashed: one at a time on each device, where two would only make its head
// travel, and two in all. What torrents wait for comes before what is looked at in the background. A turn ends after so
// much time or work when another torrent waits, and is gone on with later: a check of days holds none up.
import type { AccountId } from '../../shared-protocol/ids.js';
import { SECOND_MS, type Clock } from '../environment.js';
import type { CheckedTorrent, HashingTurn } from '../torrent/session-interface.js';
import { CheckLines, type Waiting } from './check-lines.js';

/** Turns at a time: as many as there are hashing threads at most. */
const MAX_RUNNING = 2;
/** Length of one turn, while others wait: so long does what is short wait for each account before it. */
const TURN_MS = 2 * SECOND_MS;
/** The same where a disk is quick: a quarter of a second of two threads. */
const TURN_BYTES = 512 * 1024 * 1024;

type Kind = 'check' | 'audit';

export class CheckQueue {
  readonly #lines = { check: new CheckLines<Job>(), audit: new CheckLines<Job>() };
  /** Jobs that stand in a line, by their torrent. */
  readonly #waiting = { check: new Map<CheckedTorrent, Job>(), audit: new Map<CheckedTorrent, Job>() };
  /** Jobs whose turn it is. */
  readonly #running = new Set<Job>();
  /** Jobs that have had a turn and have not ended. */
  readonly #unfinished = new Set<Promise<void>>();
  #jobs = 0;
  #isClosed = false;

  /** `deviceOf`: a number that torrents on one device have in common. */
  constructor(
    private readonly clock: Pick<Clock, 'nowMs'>,
    private readonly deviceOf: (torrent: CheckedTorrent) => number,
  ) {}

  add(torrent: CheckedTorrent): void {
    this.#ask('check', torrent);
  }

  addAudit(torrent: CheckedTorrent): void {
    this.#ask('audit', torrent);
  }

  /** Takes the torrent's jobs out of line. One that was begun should have been stopped: it is let go on, to its end. */
  remove(torrent: CheckedTorrent): void {
    for (const kind of ['check', 'audit'] as const) {
      const job = this.#waiting[kind].get(torrent);
      if (!job) continue;
      this.#leaveLine(job);
      job.wake();
    }
  }

  /** Nothing begins any more; resolves when what was begun, and should have been stopped, has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const kind of ['check', 'audit'] as const) {
      for (const torrent of [...this.#waiting[kind].keys()]) this.remove(torrent);
    }
    await Promise.all(this.#unfinished);
  }

  #ask(kind: Kind, torrent: CheckedTorrent): void {
    if (this.#waiting[kind].has(torrent)) return;
    this.#queue(new Job(this, kind, torrent, this.deviceOf(torrent), this.#jobs++));
    this.#fill();
  }

  #queue(job: Job): void {
    this.#waiting[job.kind].set(job.torrent, job);
    this.#lines[job.kind].add(job);
  }

  #leaveLine(job: Job): void {
    this.#waiting[job.kind].delete(job.torrent);
    this.#lines[job.kind].delete(job);
  }

  #fill(): void {
    while (!this.#isClosed && this.#running.size < MAX_RUNNING) {
      const busy = this.#busyBeside(null);
      const job = this.#lines.check.take(busy) ?? this.#lines.audit.take(busy);
      if (!job) return;
      this.#waiting[job.kind].delete(job.torrent);
      this.#running.add(job);
      job.turnBegins(this.clock.nowMs());
      if (job.isBegun) job.wake();
      else this.#begin(job);
    }
  }

  #begin(job: Job): void {
    // It reports its own failures; the queue goes on.
    const ending = job.run().finally(() => {
      this.#unfinished.delete(ending);
      this.#running.delete(job);
      this.#fill();
    });
    this.#unfinished.add(ending);
  }

  isOver(job: Job): boolean {
    if (!job.hasHadItsShare(this.clock.nowMs())) return false;
    const busy = this.#busyBeside(job);
    if (this.#lines.check.isAnyBefore(job, busy)) return true;
    return job.kind === 'audit' && this.#lines.audit.isAnyBefore(job, busy);
  }

  pass(job: Job): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#running.delete(job);
    const turn = job.nextTurn();
    this.#queue(job);
    this.#fill();
    return turn;
  }

  #busyBeside(own: Job | null): ReadonlySet<number> {
    const busy = new Set<number>();
    for (const job of this.#running) if (job !== own) busy.add(job.device);
    return busy;
  }
}

/** One check or audit, from when it is asked for until it has ended. */
class Job implements Waiting, HashingTurn {
  readonly account: AccountId;
  isBegun = false;
  #endMs = 0;
  #bytesLeft = 0;
  #wake: () => void = () => undefined;

  constructor(
    private readonly queue: CheckQueue,
    readonly kind: Kind,
    readonly torrent: CheckedTorrent,
    readonly device: number,
    readonly number: number,
  ) {
    this.account = torrent.ownerId;
  }

  run(): Promise<void> {
    this.isBegun = true;
    return this.kind === 'check' ? this.torrent.runCheck(this) : this.torrent.runAudit(this);
  }

  turnBegins(nowMs: number): void {
    this.#endMs = nowMs + TURN_MS;
    this.#bytesLeft = TURN_BYTES;
  }

  hasHadItsShare(nowMs: number): boolean {
    return this.#bytesLeft <= 0 || nowMs >= this.#endMs;
  }

  nextTurn(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  wake(): void {
    this.#wake();
  }

  spend(bytes: number): void {
    this.#bytesLeft -= bytes;
  }

  get isOver(): boolean {
    return this.queue.isOver(this);
  }

  pass(): Promise<void> {
    return this.queue.pass(this);
  }
}
