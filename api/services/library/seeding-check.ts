// The seeding check (docs/api.md, every 30 s; docs/semantics.md section 5): when a torrent began to seed, and whether
// it has seeded enough. A torrent's own policy stands for both defaults. A torrent that a user resumes over its limit
// is paused again by the next check.
import { setImmediate as othersRan } from 'node:timers/promises';
import type { ShareRef } from '../../../shared-protocol/commands.js';
import { AppError, type ErrorCode } from '../../../shared-protocol/errors.js';
import type { SeedingDefaultsDto } from '../../../shared-protocol/dto/settings.js';
import type { LibraryRecord, SeedPolicy } from '../../../shared-protocol/library-record.js';
import { emptyStats, TORRENT_FLAGS, type TorrentStats } from '../../../shared-protocol/stats-table.js';
import type { Log } from '../../logging.js';
import type { BackgroundService } from '../background-service.js';
import type { Library } from './library.js';
import { refOf, sharesOf, statsOfShare } from './shares.js';
import type { Settings } from '../settings/settings.js';

export const SEEDING_CHECK_MS = 30_000;
const MINUTE_S = 60;
/** Each is a durable write: a store of 10,000 that was just added must not stand before what people ask for. */
const MAX_AT_A_TIME = 16;
/** Measured: a millisecond; requests are answered in between. */
const JUDGED_AT_A_TIME = 500;
const EXEMPT = TORRENT_FLAGS.paused | TORRENT_FLAGS.verifying | TORRENT_FLAGS.filesMissing;
/** Errors of the engine as a whole: the torrents that are left would fare no better. */
const ENGINE_AWAY: ReadonlySet<ErrorCode> = new Set(['ENGINE_EXITED', 'ENGINE_TIMEOUT', 'ENGINE_NOT_RUNNING']);

export type SeedingVerdict =
  | { readonly kind: 'leave' }
  /** The torrent seeds, which the library has not noted yet. */
  | { readonly kind: 'note' }
  | { readonly kind: 'stop'; readonly reason: 'ratio' | 'time' };

/** `now` in unix seconds. */
export function judgeSeeding(
  { flags, totalUp, bytesDone }: Readonly<TorrentStats>,
  { seedPolicy, seedingSince }: LibraryRecord,
  defaults: SeedPolicy,
  now: number,
): SeedingVerdict {
  if ((flags & TORRENT_FLAGS.completed) === 0 || (flags & EXEMPT) !== 0) return { kind: 'leave' };
  if (seedingSince === null) return { kind: 'note' };
  const { ratioLimit, minutesLimit } = seedPolicy ?? defaults;
  // Without bytes there is no ratio.
  if (ratioLimit !== null && bytesDone > 0 && totalUp / bytesDone >= ratioLimit)
    return { kind: 'stop', reason: 'ratio' };
  // A clock that was set back does not make the time less than none.
  const seededFor = Math.max(0, now - seedingSince);
  if (minutesLimit !== null && seededFor >= minutesLimit * MINUTE_S) return { kind: 'stop', reason: 'time' };
  return { kind: 'leave' };
}

export interface SeedingCheckDeps {
  readonly library: Pick<Library, 'all' | 'share' | 'stats' | 'editRecord' | 'pause'>;
  readonly settings: Pick<Settings, 'stored'>;
  /** Unix seconds. */
  readonly now: () => number;
  readonly log: Pick<Log, 'debug'>;
}

export class SeedingCheck implements BackgroundService {
  #isChecking = false;
  #isStopped = false;
  #timer: NodeJS.Timeout | null = null;
  readonly #stats = emptyStats();

  constructor(private readonly deps: SeedingCheckDeps) {}

  start(): void {
    this.#timer = setInterval(() => void this.check(), SEEDING_CHECK_MS);
  }

  /** Looks at every torrent; nothing while the check before is still at it. Never rejects. */
  async check(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    const due = (await this.#due()).values();
    await Promise.all(Array.from({ length: MAX_AT_A_TIME }, () => this.#attendEach(due)));
    this.#isChecking = false;
  }

  /** Takes up no further torrents, for good. */
  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#isStopped = true;
  }

  /** The shares to be attended to; each is judged again when its turn comes: by then it may be gone, or paused. */
  async #due(): Promise<ShareRef[]> {
    const due: ShareRef[] = [];
    for (const [index, torrent] of Array.from(this.deps.library.all).entries()) {
      if (index % JUDGED_AT_A_TIME === JUDGED_AT_A_TIME - 1) await othersRan();
      for (const share of sharesOf(torrent).map(refOf)) if (this.#judge(share).kind !== 'leave') due.push(share);
    }
    return due;
  }

  /** One of several that share `due`. */
  async #attendEach(due: Iterator<ShareRef>): Promise<void> {
    for (let next = due.next(); !next.done && !this.#isStopped; next = due.next()) {
      try {
        await this.#attend(next.value);
      } catch (error) {
        // Without an engine the next check tries again; a torrent that fails alone was removed, or its disk is at fault.
        this.deps.log.debug('seeding check failed', { torrentId: next.value.id, reason: String(error) });
        if (error instanceof AppError && ENGINE_AWAY.has(error.code)) return;
      }
    }
  }

  async #attend(share: ShareRef): Promise<void> {
    const { library, log, now } = this.deps;
    if (this.#judge(share).kind === 'note') {
      const seedingSince = now();
      await library.editRecord(share, (record) =>
        record.seedingSince === null ? { ...record, seedingSince } : record,
      );
    }
    const verdict = this.#judge(share);
    if (verdict.kind !== 'stop') return;
    log.debug('seeded enough', { torrentId: share.id, reason: verdict.reason });
    await library.pause(share);
  }

  #judge(ref: ShareRef): SeedingVerdict {
    const { library, settings, now } = this.deps;
    const facts = library.share(ref);
    if (!facts || !library.stats.read(facts.row, facts.rowTag, this.#stats)) return { kind: 'leave' };
    return judgeSeeding(
      facts.own ? statsOfShare(this.#stats, facts) : this.#stats,
      facts.library,
      toPolicy(settings.stored('seeding_defaults')),
      now(),
    );
  }
}

function toPolicy({ ratio_limit, time_min_limit }: SeedingDefaultsDto): SeedPolicy {
  return { ratioLimit: ratio_limit, minutesLimit: time_min_limit };
}
