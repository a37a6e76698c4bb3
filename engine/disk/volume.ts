// One file system that downloads are written to, and what it refuses (docs/limits.md 2.29). Owns who waits for it, and
// whether it is closed: then no torrent writes there at all. It is closed only when a look at it says so; while it takes
// a write, what went wrong was a matter of one torrent's files, and only that torrent waits.
import { AppError } from '../../shared-protocol/errors.js';
import { diskStateOf, type DiskState } from '../../shared-protocol/disk-state.js';
import { because } from '../../shared-protocol/reasons.js';
import type { Log } from '../environment.js';
import { diskError } from './errors.js';
import type { VolumeProbe } from './volume-probe.js';
import { creditBytes, hasRoomAgain, lookDelayMs, SAME_TROUBLE_MS, type Space } from './volume-rules.js';
import type { DiskWaiter } from './types.js';

interface Waiting {
  readonly folder: string;
  readonly state: DiskState;
}

const UNKNOWN_SPACE: Space = { freeBytes: 0, totalBytes: 0 };

const NOTICES: { readonly [State in DiskState]: string } = {
  ok: 'the disk refuses what is written, downloads wait',
  full: 'the disk is full, downloads wait',
  'read-only': 'the disk may not be written to, downloads wait',
  'file-too-large': 'the disk takes no files as large as this, downloads wait',
  failing: 'the disk fails, downloads wait',
};

function noRoom({ freeBytes }: Space): AppError {
  const mib = Math.floor(freeBytes / 2 ** 20);
  return new AppError(
    'DISK_FULL',
    `no room left on the disk (${mib} MiB free)`,
    because('DISK_FULL', { errno: 'ENOSPC', free_mib: mib }),
  );
}

export class Volume {
  readonly #waiting = new Map<DiskWaiter, Waiting>();
  /** The error that all writes are refused with, and where to look whether that is over. */
  #closed: { readonly error: AppError; readonly folder: string } | null = null;
  /** Bytes that may be written before the free space is looked at again. */
  #creditBytes = 0;
  #underWayBytes = 0;
  #renewing: Promise<Space> | null = null;
  #round = 0;
  #nextLookMs = Infinity;
  #isLooking = false;
  #lastTroubleMs = -Infinity;
  #hasSaid = false;

  constructor(private readonly deps: { readonly looks: VolumeProbe; readonly log: Log }) {}

  get isInTrouble(): boolean {
    return this.#waiting.size > 0 || this.#closed !== null;
  }

  /**
   * Before each write, `done` after it; null: go on at once. Rejects with why not, and then there is nothing to be done:
   * `DISK_FULL`, or what closed the volume.
   */
  admit(bytes: number, folder: string): Promise<void> | null {
    if (this.#closed) return Promise.reject(this.#closed.error);
    if (bytes > this.#creditBytes) return this.#admitAfterLook(bytes, folder);
    this.#take(bytes);
    return null;
  }

  done(bytes: number): void {
    this.#underWayBytes = Math.max(0, this.#underWayBytes - bytes);
  }

  /** Notes a torrent whose write was refused: it is told when another try is worth while. */
  wait(waiter: DiskWaiter, folder: string, error: AppError, nowMs: number): void {
    const state = diskStateOf(error);
    this.#waiting.set(waiter, { folder, state });
    if (this.#nextLookMs === Infinity) this.#begin(error, nowMs);
    if (!this.#closed && (state === 'full' || state === 'failing')) void this.#closeIfTrue(folder, error);
  }

  leave(waiter: DiskWaiter): void {
    this.#waiting.delete(waiter);
  }

  tick(nowMs: number): void {
    if (!this.isInTrouble) return void (this.#nextLookMs = Infinity);
    // A volume that was closed a moment ago, and that no torrent waits for yet: its trouble has not been told of.
    if (this.#nextLookMs === Infinity) return;
    this.#lastTroubleMs = nowMs;
    if (nowMs < this.#nextLookMs || this.#isLooking) return;
    this.#isLooking = true;
    void this.#look().finally(() => {
      this.#isLooking = false;
      this.#nextLookMs = this.isInTrouble ? nowMs + lookDelayMs(this.#round++) : Infinity;
    });
  }

  async #admitAfterLook(bytes: number, folder: string): Promise<void> {
    this.#renewing ??= this.#renewCredit(folder).finally(() => (this.#renewing = null));
    const space = await this.#renewing;
    if (bytes > this.#creditBytes) this.#close(folder, noRoom(space));
    if (this.#closed) throw this.#closed.error;
    this.#take(bytes);
  }

  async #renewCredit(folder: string): Promise<Space> {
    const space = await this.#spaceOf(folder);
    // What is under way may count among what is free still.
    this.#creditBytes = creditBytes(space, this.#underWayBytes);
    return space;
  }

  #take(bytes: number): void {
    this.#creditBytes -= bytes;
    this.#underWayBytes += bytes;
  }

  /** Trouble of the whole volume, or of one torrent's files? */
  async #closeIfTrue(folder: string, error: AppError): Promise<void> {
    const isTrue =
      !(await this.#takesWrites(folder)) || (error.code === 'DISK_FULL' && (await this.#hasNoRoom(folder)));
    if (isTrue) this.#close(folder, error);
  }

  async #hasNoRoom(folder: string): Promise<boolean> {
    return creditBytes(await this.#spaceOf(folder), 0) === 0;
  }

  /** Free space of the folder's volume. One that cannot be asked is not full: the write will tell. */
  #spaceOf(folder: string): Promise<Space> {
    return this.deps.looks.spaceOf(folder).catch(() => UNKNOWN_SPACE);
  }

  #close(folder: string, error: AppError): void {
    this.#closed ??= { error, folder };
    this.#creditBytes = 0;
  }

  #begin(error: AppError, nowMs: number): void {
    const isSame = nowMs - this.#lastTroubleMs < SAME_TROUBLE_MS;
    if (!isSame) this.#round = 0;
    this.#hasSaid = !isSame;
    this.#lastTroubleMs = nowMs;
    this.#nextLookMs = nowMs + lookDelayMs(this.#round++);
    this.deps.log[isSame ? 'debug' : 'warn'](NOTICES[diskStateOf(error)], { reason: error.message });
  }

  async #look(): Promise<void> {
    if (this.#closed && !(await this.#isOver(this.#closed.folder, this.#closed.error))) return;
    this.#closed = null;
    const verdicts = new Map<string, boolean>();
    for (const [waiter, { folder }] of [...this.#waiting]) {
      const mayTry = verdicts.get(folder) ?? (await this.#takesWrites(folder));
      verdicts.set(folder, mayTry);
      // It may have left, or closed the volume again, while those before it returned.
      if (this.#closed) return;
      if (mayTry && this.#waiting.delete(waiter)) await waiter.onDiskBack();
    }
    if (!this.isInTrouble) this.deps.log[this.#hasSaid ? 'info' : 'debug']('the disk is tried again, downloads go on');
  }

  async #isOver(folder: string, { code }: AppError): Promise<boolean> {
    if (!(await this.#takesWrites(folder))) return false;
    if (code !== 'DISK_FULL') return true;
    let missingBytes = 0;
    for (const waiter of this.#waiting.keys()) missingBytes += waiter.missingBytes();
    return hasRoomAgain(await this.#spaceOf(folder), missingBytes);
  }

  async #takesWrites(folder: string): Promise<boolean> {
    try {
      await this.deps.looks.tryWrite(folder);
      return true;
    } catch (error) {
      this.deps.log.debug('a write was tried and refused', { reason: diskError(error, []).message });
      return false;
    }
  }
}
