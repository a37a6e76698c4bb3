// Announcing for all torrents (BEP 3, BEP 12): keeps each torrent's tiers, elects the tracker that speaks for each
// tier, hands it to the due queue, and takes in how the attempt went. Sockets belong to the clients, time limits of
// one attempt too.
//
// Invariant: in each tier of a running torrent exactly one usable tracker is queued or has an announce under way.
import type { AnnounceNowResult } from '../../shared-protocol/commands/trackers.js';
import type { TrackerDetail } from '../../shared-protocol/commands/details.js';
import type { InfoHash } from '../../shared-protocol/ids.js';
import { maskSaid } from '../../shared-protocol/masking.js';
import type { Clock, Log, Random } from '../environment.js';
import type { AnnounceOutcome, AnnounceReply, HttpTrackerClient, UdpTrackerClient } from './client.js';
import { absorbFailure, absorbReply } from './absorb.js';
import { Attempts } from './attempts.js';
import { DueQueue } from './due-queue.js';
import { EndpointTable, noteFailure, noteReached, sparedUntilMs, type Attempted } from './endpoints.js';
import {
  askedForMs,
  newTracker,
  nextEvent,
  priorityOf,
  isWorking,
  trackerStatus,
  unixSecondsAt,
  type TorrentRecord,
  type TrackerRecord,
} from './records.js';
import { DEFAULT_ANNOUNCE_QUEUE_OPTIONS, type AnnounceQueueOptions } from './options.js';
import { ScrapeBatches, type ScrapeBatch } from './scrape-batches.js';
import { electMember, moveToFront, shuffle } from './tiers.js';
import { NOTHING_HEARD, heardOf } from './swarm-heard.js';
import type { AnnounceEvent, AnnounceIdentity, AnnounceQueue, AnnounceTorrent, SwarmHeard } from './types.js';

export interface AnnounceQueueDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly identity: () => AnnounceIdentity;
  readonly http: HttpTrackerClient;
  readonly udp: UdpTrackerClient;
  /** Told our address as a tracker (its host) sees it (BEP 24). */
  readonly onExternalIp?: (ip: string, tracker: string) => void;
}

export function createAnnounceQueue(
  deps: AnnounceQueueDeps,
  options: Partial<AnnounceQueueOptions> = {},
): AnnounceQueue {
  return new TieredAnnounceQueue(deps, { ...DEFAULT_ANNOUNCE_QUEUE_OPTIONS, ...options });
}

class TieredAnnounceQueue implements AnnounceQueue {
  readonly #torrents = new Map<InfoHash, TorrentRecord>();
  readonly #endpoints = new EndpointTable();
  readonly #queue: DueQueue<TrackerRecord | ScrapeBatch>;
  readonly #scrapes: ScrapeBatches;
  readonly #attempts: Attempts;
  /** Trackers whose `stopped` is queued or under way. */
  #leaving = 0;
  #closing = false;
  #onIdle: (() => void) | null = null;

  constructor(
    private readonly deps: AnnounceQueueDeps,
    private readonly options: AnnounceQueueOptions,
  ) {
    this.#queue = new DueQueue<TrackerRecord | ScrapeBatch>(
      {
        clock: deps.clock,
        begin: (item) => (item.kind === 'scrape' ? this.#scrapes.begin(item) : this.#begin(item)),
      },
      options.limits,
    );
    this.#scrapes = new ScrapeBatches({
      ...deps,
      schedule: (batch, dueMs, priority) => this.#queue.schedule(batch, dueMs, priority),
      finished: (batch) => this.#queue.finished(batch),
    });
    this.#attempts = new Attempts({
      ...deps,
      onEnd: (tracker, event, outcome) => {
        this.#queue.finished(tracker);
        this.#ended(tracker, event, outcome);
        this.#tellIfIdle();
      },
    });
  }

  add(torrent: AnnounceTorrent, tiers: readonly (readonly string[])[]): void {
    if (this.#torrents.has(torrent.infoHash)) return;
    const record: TorrentRecord = { torrent, tiers: [], running: false, finalFigures: null };
    this.#torrents.set(torrent.infoHash, record);
    for (const urls of tiers) this.#addTier(record, urls);
  }

  start(infoHash: InfoHash): void {
    const record = this.#torrents.get(infoHash);
    if (!record || record.running || this.#closing) return;
    record.running = true;
    record.finalFigures = null;
    const nowMs = this.deps.clock.nowMs();
    for (const tier of record.tiers) {
      for (const tracker of tier) {
        if (tracker.leaving && !tracker.abort) this.#left(tracker);
        tracker.announced = false;
        tracker.owesCompleted = false;
        tracker.fails = 0;
        tracker.dueMs = nowMs;
        tracker.earliestMs = nowMs;
        if (tracker.usable) tracker.error = null;
      }
      this.#scheduleTier(record, tier);
    }
  }

  completed(infoHash: InfoHash): void {
    const record = this.#torrents.get(infoHash);
    if (!record?.running) return;
    for (const tier of record.tiers) {
      for (const tracker of tier) {
        // One that is first told later on hears `started` with nothing left, which BEP 3 never follows by `completed`.
        if (!tracker.announced && !tracker.abort) continue;
        tracker.owesCompleted = true;
        if (tracker.fails === 0) tracker.dueMs = this.deps.clock.nowMs();
      }
      this.#scheduleTier(record, tier);
    }
  }

  stop(infoHash: InfoHash): void {
    const record = this.#torrents.get(infoHash);
    if (record) this.#stop(record);
  }

  remove(infoHash: InfoHash): void {
    const record = this.#torrents.get(infoHash);
    if (!record) return;
    this.#torrents.delete(infoHash);
    this.#stop(record);
    for (const tier of record.tiers.splice(0)) {
      for (const tracker of tier) {
        tracker.detached = true;
        this.#forgetIfDone(tracker);
      }
    }
  }

  requestPeers(infoHash: InfoHash): void {
    const record = this.#torrents.get(infoHash);
    if (!record?.running) return;
    const nowMs = this.deps.clock.nowMs();
    for (const tier of record.tiers) {
      const tracker = electMember(tier, nowMs);
      if (!tracker || tracker.fails > 0) continue;
      tracker.dueMs = Math.min(tracker.dueMs, Math.max(nowMs, tracker.earliestMs));
      this.#scheduleTier(record, tier);
    }
  }

  announceNow(infoHash: InfoHash): AnnounceNowResult {
    const record = this.#torrents.get(infoHash);
    const { clock } = this.deps;
    const nowMs = clock.nowMs();
    const startsMs: number[] = [];
    for (const tier of record?.running ? record.tiers : []) {
      const tracker = tier.find(({ abort }) => abort) ?? electMember(tier, nowMs);
      if (!tracker) continue;
      const { unreachableUntilMs } = attemptedBy(tracker);
      tracker.dueMs = Math.min(tracker.dueMs, Math.max(nowMs, askedForMs(tracker, clock), unreachableUntilMs));
      startsMs.push(tracker.abort ? nowMs : tracker.dueMs);
      this.#scheduleTier(record!, tier);
    }
    const waiting = startsMs.filter((startMs) => startMs > nowMs);
    const nextAnnounce = waiting.length > 0 ? unixSecondsAt(Math.min(...waiting), clock) : 0;
    return { announced: startsMs.length - waiting.length, waiting: waiting.length, nextAnnounce };
  }

  setTiers(infoHash: InfoHash, tiers: readonly (readonly string[])[]): void {
    const record = this.#torrents.get(infoHash);
    if (!record) return;
    const kept = new Set(tiers.flat());
    for (const tracker of record.tiers.flat()) {
      if (!kept.has(tracker.endpoint.url)) this.removeTracker(infoHash, tracker.endpoint.url);
      else if (record.running) this.#queue.cancel(tracker);
    }
    const known = new Map(record.tiers.flat().map((tracker) => [tracker.endpoint.url, tracker]));
    const track = (url: string): TrackerRecord => known.get(url) ?? newTracker(record, this.#endpoints.acquire(url));
    record.tiers = tiers.map((urls) => urls.map(track));
    for (const tier of record.tiers) this.#scheduleTier(record, tier);
  }

  addTrackers(infoHash: InfoHash, urls: readonly string[]): void {
    const record = this.#torrents.get(infoHash);
    if (!record) return;
    for (const url of urls) {
      const tier = this.#addTier(record, [url]);
      if (tier) this.#scheduleTier(record, tier);
    }
  }

  removeTracker(infoHash: InfoHash, url: string): void {
    const record = this.#torrents.get(infoHash);
    if (!record) return;
    for (const tier of [...record.tiers]) {
      const tracker = tier.find((candidate) => candidate.endpoint.url === url);
      if (!tracker) continue;
      tier.splice(tier.indexOf(tracker), 1);
      tracker.detached = true;
      this.#leave(tracker);
      this.#forgetIfDone(tracker);
      if (tier.length === 0) record.tiers.splice(record.tiers.indexOf(tier), 1);
      else this.#scheduleTier(record, tier);
    }
  }

  retry(infoHash: InfoHash): void {
    const record = this.#torrents.get(infoHash);
    if (!record?.running) return;
    const nowMs = this.deps.clock.nowMs();
    this.#attempts.abort((tracker) => tracker.torrent === record);
    for (const tier of record.tiers) {
      for (const tracker of tier) if (tracker.fails > 0) tracker.dueMs = nowMs;
      this.#scheduleTier(record, tier);
    }
  }

  forgetFailures(): void {
    this.#endpoints.forgetFailures();
  }

  tiers(infoHash: InfoHash): readonly (readonly string[])[] {
    const record = this.#torrents.get(infoHash);
    return (record?.tiers ?? []).map((tier) => tier.map((tracker) => tracker.endpoint.url));
  }

  statuses(infoHash: InfoHash): readonly TrackerDetail[] {
    const record = this.#torrents.get(infoHash);
    return (record?.tiers ?? []).flatMap((tier, number) =>
      tier.map((tracker) => trackerStatus(tracker, number, this.deps.clock)),
    );
  }

  heard(infoHash: InfoHash): SwarmHeard {
    const record = this.#torrents.get(infoHash);
    return record ? heardOf(record.tiers) : NOTHING_HEARD;
  }

  working(infoHash: InfoHash): readonly string[] {
    const trackers = (this.#torrents.get(infoHash)?.tiers ?? []).flat();
    return [...new Set(trackers.filter(isWorking).map(({ endpoint }) => endpoint.host))];
  }

  async close(timeoutMs: number): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    this.#scrapes.close();
    this.#queue.setLimits(this.options.closingLimits);
    for (const record of this.#torrents.values()) this.#stop(record);
    // What has never been answered is not worth waiting for.
    this.#attempts.abort((tracker) => !tracker.announced && !tracker.leaving);
    await new Promise<void>((resolve) => {
      const timer = this.deps.clock.after(timeoutMs, resolve);
      this.#onIdle = () => {
        timer.cancel();
        resolve();
      };
      this.#tellIfIdle();
    });
    this.#onIdle = null;
    if (this.#leaving > 0) this.deps.log.warn('stopped not sent to all trackers', { trackers: this.#leaving });
    this.#queue.close();
    this.#attempts.abort(() => true);
    await Promise.all([this.deps.http.close(), this.deps.udp.close()]);
  }

  /** The new tier; null when all of it was known already. */
  #addTier(record: TorrentRecord, urls: readonly string[]): TrackerRecord[] | null {
    const known = new Set(record.tiers.flatMap((tier) => tier.map((tracker) => tracker.endpoint.url)));
    const room = this.options.maxTrackersPerTorrent - known.size;
    const fresh = [...new Set(urls)].filter((url) => !known.has(url)).slice(0, Math.max(0, room));
    if (fresh.length === 0) return null;
    const tier = fresh.map((url) => newTracker(record, this.#endpoints.acquire(url)));
    shuffle(tier, this.deps.random);
    // Makes room for what is in it; an array that is pushed to has room for 17.
    record.tiers = record.tiers.concat([tier]);
    return tier;
  }

  #scheduleTier(record: TorrentRecord, tier: readonly TrackerRecord[]): void {
    if (!record.running || tier.some((tracker) => tracker.abort)) return;
    const elected = electMember(tier, this.deps.clock.nowMs());
    for (const tracker of tier) if (tracker !== elected) this.#queue.cancel(tracker);
    if (elected) this.#queue.schedule(elected, elected.dueMs, priorityOf(nextEvent(elected)));
  }

  #stop(record: TorrentRecord): void {
    if (!record.running) return;
    record.running = false;
    record.finalFigures = record.torrent.figures();
    for (const tier of record.tiers) for (const tracker of tier) this.#leave(tracker);
  }

  /** Says `stopped` to one that knows of us, after ending whatever is under way. */
  #leave(tracker: TrackerRecord): void {
    if (tracker.leaving) return;
    this.#queue.cancel(tracker);
    if (tracker.abort) {
      // A first announce is let finish once it is sent: only its answer shows whether the tracker knows of us.
      if (tracker.announced || !tracker.isSent) tracker.abort.abort();
      return;
    }
    if (!tracker.announced) return;
    tracker.leaving = true;
    this.#leaving++;
    this.#queue.schedule(tracker, this.deps.clock.nowMs(), priorityOf('stopped'));
  }

  /** `stopped` was sent, failed, or is not to be sent after all. */
  #left(tracker: TrackerRecord): void {
    this.#queue.cancel(tracker);
    tracker.leaving = false;
    tracker.announced = false;
    this.#leaving--;
  }

  #forgetIfDone(tracker: TrackerRecord): void {
    if (tracker.detached && !tracker.leaving && !tracker.abort) this.#endpoints.release(tracker.endpoint);
  }

  #begin(tracker: TrackerRecord): boolean {
    if (this.deps.clock.nowMs() < attemptedBy(tracker).unreachableUntilMs) {
      this.#spare(tracker);
      return false;
    }
    this.#attempts.begin(tracker, nextEvent(tracker));
    return true;
  }

  /** Does as if the attempt had failed, because others' attempts just did. */
  #spare(tracker: TrackerRecord): void {
    const { torrent } = tracker;
    const attempted = attemptedBy(tracker);
    if (tracker.leaving) {
      this.#left(tracker);
      this.#forgetIfDone(tracker);
      this.#tellIfIdle();
      return;
    }
    tracker.fails = Math.max(1, tracker.fails);
    tracker.error = attempted.unreachableReason;
    tracker.answered = false;
    tracker.isRefused = false;
    torrent.torrent.onTrackersHeard();
    tracker.dueMs = sparedUntilMs(attempted, this.deps.clock.nowMs(), this.deps.random);
    this.#scheduleTier(torrent, tierOf(tracker));
  }

  #ended(tracker: TrackerRecord, event: AnnounceEvent, outcome: AnnounceOutcome): void {
    const { torrent, endpoint } = tracker;
    const { clock, random } = this.deps;
    const nowMs = clock.nowMs();
    if (outcome.kind === 'answered') noteReached(attemptedBy(tracker));
    else noteFailure(attemptedBy(tracker), outcome.code, outcome.message, nowMs);
    const aborted = outcome.kind === 'failed' && outcome.code === 'TRACKER_ABORTED';
    if (!aborted) tracker.lastAnnounceSec = Math.floor(clock.unixMs() / 1000);

    if (event === 'stopped') {
      this.#left(tracker);
    } else if (outcome.kind === 'answered') {
      absorbReply(tracker, event, outcome, nowMs, random);
      this.#report(tracker, event, outcome);
    } else if (!aborted) {
      absorbFailure(tracker, outcome, nowMs, random);
      const fields = { torrent: torrent.torrent.infoHash, tracker: endpoint.host, fails: tracker.fails };
      this.deps.log.debug('announce failed', {
        ...fields,
        code: outcome.code,
        reason: maskSaid(endpoint.url, outcome.message),
      });
    }

    if (!torrent.running || tracker.detached) {
      if (event !== 'stopped') this.#leave(tracker);
      this.#forgetIfDone(tracker);
      return;
    }
    const tier = tierOf(tracker);
    if (outcome.kind === 'answered' && event !== 'stopped') moveToFront(tier, tracker);
    this.#scheduleTier(torrent, tier);
    torrent.torrent.onTrackersHeard();
    if (outcome.kind === 'answered' && event !== 'stopped' && outcome.peers.length > 0) {
      torrent.torrent.onPeers(outcome.peers, outcome.isInside ?? false);
    }
  }

  #report(tracker: TrackerRecord, event: AnnounceEvent, reply: AnnounceReply): void {
    const fields = { torrent: tracker.torrent.torrent.infoHash, tracker: tracker.endpoint.host };
    this.deps.log.debug('announced', { ...fields, event, peers: reply.peers.length });
    if (reply.warning !== null) {
      this.deps.log.debug('tracker warns', { ...fields, warning: maskSaid(tracker.endpoint.url, reply.warning) });
    }
    if (reply.externalIp !== null) this.deps.onExternalIp?.(reply.externalIp, tracker.endpoint.host);
    if (reply.seeds === null && reply.leechers === null && tracker.torrent.running) this.#scrapes.want(tracker);
  }

  #tellIfIdle(): void {
    if (this.#attempts.underWay === 0 && this.#leaving === 0) this.#onIdle?.();
  }
}

/** By those with the same rights. */
function attemptedBy({ torrent, endpoint }: TrackerRecord): Attempted {
  return endpoint.attempts[torrent.torrent.mayReachInside(endpoint.url) ? 'inside' : 'outside'];
}

function tierOf(tracker: TrackerRecord): TrackerRecord[] {
  const tier = tracker.torrent.tiers.find((candidate) => candidate.includes(tracker));
  if (!tier) throw new Error('bug: a tracker without a tier');
  return tier;
}
