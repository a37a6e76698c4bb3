// The seeding check (docs/api.md, every 30 s; docs/semantics.md section 5): when a torrent began to seed, whether it has
// seeded enough, and what is done then. Each share of a torrent is judged and acted on by itself, with the rights of who
// holds it: it is that share that pauses or goes, and data go with the last one. A torrent that a user resumes over its
// limit is acted on again by the next check. For an hour after the wall clock has jumped nothing is judged by time: torrents
// are not to go with their files because of a year that was wrong for a moment.
import { setImmediate as othersRan } from 'node:timers/promises';
import type { ShareRef } from '../../../shared-protocol/commands/shares.js';
import { AppError, ENGINE_GONE } from '../../../shared-protocol/errors.js';
import type { SeedingRuleForAllDto } from '../../../shared-protocol/dto/seeding.js';
import type { LibraryRecord } from '../../../shared-protocol/library-record.js';
import { emptyStats, TORRENT_FLAGS, type TorrentStats } from '../../../shared-protocol/stats-table.js';
import type { Log } from '../../logging.js';
import type { BackgroundService } from '../background-service.js';
import { SteadyClock } from '../steady-clock.js';
import type { Library } from './library.js';
import { removes } from './seeding-in-force.js';
import type { SeedingRules } from './seeding-rules.js';
import { refOf, sharesOf, statsOfShare, type ListedTorrent } from './shares.js';
import type { TorrentLabels } from './torrent-labels.js';

export const SEEDING_CHECK_MS = 30_000;
const MINUTE_S = 60;
const SECOND_MS = 1_000;
/** Each is a durable write: a store of 10,000 that was just added must not stand before what people ask for. */
const MAX_AT_A_TIME = 16;
/** Measured: a millisecond; requests are answered in between. */
const JUDGED_AT_A_TIME = 500;
const EXEMPT = TORRENT_FLAGS.paused | TORRENT_FLAGS.verifying | TORRENT_FLAGS.filesMissing;

export type SeedingReason = 'ratio' | 'time' | 'inactive';
export type SeedingVerdict =
  | { readonly kind: 'leave' }
  /** The torrent seeds, which the library has not noted yet. */
  | { readonly kind: 'note' }
  /** The torrent has seeded enough, and what is to be done then has not been done. */
  | { readonly kind: 'act'; readonly reason: SeedingReason; readonly rule: SeedingRuleForAllDto };

interface JudgedShare {
  readonly library: Pick<LibraryRecord, 'seedingSince' | 'tagIds'>;
  readonly superSeeding?: boolean;
}

const LEAVE: SeedingVerdict = { kind: 'leave' };

/** `now` in unix seconds; null: the clock is not believed. */
export function judgeSeeding(
  stats: Readonly<TorrentStats>,
  { library: record, superSeeding = false }: JudgedShare,
  rule: SeedingRuleForAllDto,
  now: number | null,
): SeedingVerdict {
  if ((stats.flags & TORRENT_FLAGS.completed) === 0 || (stats.flags & EXEMPT) !== 0) return LEAVE;
  if (record.seedingSince === null) return { kind: 'note' };
  const reason = reasonToAct(stats, record.seedingSince, rule, now);
  const isTagged = rule.action === 'tag' && (rule.tag_id === undefined || record.tagIds.includes(rule.tag_id));
  const isDone = isTagged || (rule.action === 'super_seed' && superSeeding);
  return reason === null || isDone ? LEAVE : { kind: 'act', reason, rule };
}

function reasonToAct(
  { flags, totalUp, bytesDone, lastActivityAt }: Readonly<TorrentStats>,
  seedingSince: number,
  { ratio_limit, time_min_limit, inactive_min_limit }: SeedingRuleForAllDto,
  now: number | null,
): SeedingReason | null {
  // Without bytes there is no ratio.
  if (ratio_limit !== null && bytesDone > 0 && totalUp / bytesDone >= ratio_limit) return 'ratio';
  if (now === null) return null;
  // A clock that was set back does not make the time less than none.
  const seededFor = Math.max(0, now - seedingSince);
  if (time_min_limit !== null && seededFor >= time_min_limit * MINUTE_S) return 'time';
  const inactiveFor = Math.max(0, now - Math.max(seedingSince, lastActivityAt));
  // What the queue holds back could not be active.
  const couldBeActive = (flags & TORRENT_FLAGS.queued) === 0;
  if (inactive_min_limit !== null && couldBeActive && inactiveFor >= inactive_min_limit * MINUTE_S) return 'inactive';
  return null;
}

export interface SeedingCheckDeps {
  readonly library: Pick<Library, 'all' | 'share' | 'stats' | 'editRecord' | 'pause' | 'remove' | 'setSuperSeeding'>;
  readonly torrentLabels: Pick<TorrentLabels, 'assignTag'>;
  readonly rules: Pick<SeedingRules, 'inForce'>;
  /** The share has seeded enough, and this was done. */
  readonly onEnded: (share: ListedTorrent, reason: SeedingReason, action: SeedingRuleForAllDto['action']) => void;
  /** Unix seconds. */
  readonly now: () => number;
  /** Monotonic, by a clock that nobody sets. */
  readonly nowMs: () => number;
  readonly log: Pick<Log, 'debug' | 'info'>;
}

export class SeedingCheck implements BackgroundService {
  #checking: Promise<void> | null = null;
  #isStopped = false;
  #timer: NodeJS.Timeout | null = null;
  readonly #stats = emptyStats();
  readonly #steady = new SteadyClock(true);

  constructor(private readonly deps: SeedingCheckDeps) {}

  start(): void {
    this.#timer = setInterval(() => void this.check(), SEEDING_CHECK_MS);
  }

  /** Looks at every torrent, once at a time. Never rejects. */
  check(): Promise<void> {
    this.#checking ??= this.#checkNow()
      .catch((error: unknown) => this.deps.log.debug('seeding not looked at', { reason: String(error) }))
      .finally(() => (this.#checking = null));
    return this.#checking;
  }

  /** Takes up no further torrents, for good. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#isStopped = true;
    await this.#checking;
  }

  async #checkNow(): Promise<void> {
    const due = (await this.#due()).values();
    await Promise.all(Array.from({ length: MAX_AT_A_TIME }, () => this.#attendEach(due)));
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
        if (error instanceof AppError && ENGINE_GONE.has(error.code)) return;
      }
    }
  }

  async #attend(share: ShareRef): Promise<void> {
    const { library, now } = this.deps;
    if (this.#judge(share).kind === 'note') {
      const seedingSince = now();
      await library.editRecord(share, (record) =>
        record.seedingSince === null ? { ...record, seedingSince } : record,
      );
    }
    const verdict = this.#judge(share);
    if (verdict.kind !== 'act') return;
    const torrent = library.share(share);
    await this.#act(share, verdict.reason, verdict.rule);
    if (torrent) this.deps.onEnded(torrent, verdict.reason, verdict.rule.action);
  }

  async #act(share: ShareRef, reason: SeedingReason, { action, tag_id }: SeedingRuleForAllDto): Promise<void> {
    const { library, torrentLabels, log } = this.deps;
    const level = removes(action) ? 'info' : 'debug';
    log[level]('seeded enough', { torrentId: share.id, accountId: share.by ?? null, reason, action });
    switch (action) {
      case 'pause':
        return library.pause(share);
      case 'super_seed':
        return library.setSuperSeeding(share, true);
      case 'remove':
        return library.remove(share, false);
      case 'remove_with_data':
        return library.remove(share, true);
      case 'tag':
        if (tag_id !== undefined) await torrentLabels.assignTag(share, tag_id);
    }
  }

  #judge(ref: ShareRef): SeedingVerdict {
    const { library, rules, now, nowMs } = this.deps;
    const facts = library.share(ref);
    if (!facts || !library.stats.read(facts.row, facts.rowTag, this.#stats)) return LEAVE;
    // Of most that download the rules need not be looked at.
    if ((this.#stats.flags & TORRENT_FLAGS.completed) === 0) return LEAVE;
    const stats = facts.own ? statsOfShare(this.#stats, facts) : this.#stats;
    const isSteady = this.#steady.isSteady(nowMs(), now() * SECOND_MS);
    return judgeSeeding(stats, facts, rules.inForce(facts).in_force, isSteady ? now() : null);
  }
}
