// What people change about a torrent besides its running, each durable before it resolves and in force at once. What
// is wanted of its files is `file-choice.ts`.
import type { RateLimits } from '../../shared-protocol/commands.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import type { LibraryRecord } from '../../shared-protocol/library-record.js';
import { MAX_TRACKER_CHARS, MAX_TRACKERS } from '../../shared-protocol/torrent-bounds.js';
import type { TorrentRow } from '../../storage/types.js';
import { sameTracker, TrackerSet } from '../metainfo/index.js';
import { readTrackerUrl } from '../tracker/tracker-url.js';
import { FileChoice, type FileChoiceDeps } from './file-choice.js';
import type { PriorityChange } from './file-priorities.js';
import type { Presence } from './presence.js';
import type { TorrentRecord } from './record.js';
import type { TorrentServices } from './services.js';

const FULL = `the torrent has no room for it: at most ${MAX_TRACKERS} trackers, of ${MAX_TRACKER_CHARS} characters in all`;

export interface EditsDeps extends FileChoiceDeps {
  readonly services: Pick<TorrentServices, 'announces'>;
  readonly record: TorrentRecord;
  readonly presence: Presence;
  /** A fact that decides what the torrent does is changed within `mutate`. */
  change(mutate: () => void): void;
  tellFacts(): void;
}

export class TorrentEdits {
  constructor(private readonly deps: EditsDeps) {}

  async setRateLimits(limits: RateLimits): Promise<void> {
    await this.deps.record.update({ rateLimits: limits });
    this.deps.presence.swarm?.limits.set(limits);
  }

  /** @throws AppError `FILE_INDEX_INVALID` */
  setFilePriorities(change: PriorityChange): Promise<void> {
    return new FileChoice(this.deps).set(change);
  }

  /** Earliest pieces first. */
  async setSequential(sequential: boolean): Promise<void> {
    const { record, presence } = this.deps;
    await record.update({ sequential }, (mutate) => this.deps.change(mutate));
    presence.swarm?.download?.picker.setSequential(sequential);
  }

  setForceStart(forceStart: boolean): Promise<void> {
    return this.deps.record.update({ forceStart }, (mutate) => this.deps.change(mutate));
  }

  setQueueKey(queueKey: number): Promise<void> {
    return this.deps.record.update({ queueKey });
  }

  async setLibraryRecord(library: LibraryRecord): Promise<void> {
    await this.deps.record.update({ library });
    this.deps.tellFacts();
  }

  /** Nothing when the torrent has that address already. @throws AppError `TRACKER_INVALID` */
  async addTracker(text: string, accountId: AccountId): Promise<void> {
    const { transport, refusal } = readTrackerUrl(text.trim());
    if (refusal !== null) throw trackerInvalid(refusal);
    if (transport === 'none') throw trackerInvalid('expected http, https or udp');
    return this.#addTrackers(accountId, (known) => {
      const offer = known.offer(text);
      if (offer.kind === 'unusable') throw trackerInvalid('not a URL');
      if (offer.kind === 'full') throw trackerInvalid(FULL);
      return offer.kind === 'taken' ? [offer.url] : [];
    });
  }

  /** What a second add brings, as far as there is room; a private torrent keeps to its own. */
  mergeTrackers(tiers: TorrentRow['trackers'], accountId: AccountId): Promise<void> {
    return this.#addTrackers(accountId, (known, isPrivate) =>
      (isPrivate ? [] : tiers.flat()).flatMap((text) => {
        const offer = known.offer(text);
        return offer.kind === 'taken' ? [offer.url] : [];
      }),
    );
  }

  /** Whichever of them leads to that address. */
  removeTracker(url: string): Promise<void> {
    const { record, services } = this.deps;
    return record.turns.run(async () => {
      const { id, trackers, addedTrackers = [] } = record.row;
      const known = sameTracker(trackers.flat(), url);
      if (known === null) return;
      const left = trackers.map((tier) => tier.filter((other) => other !== known));
      await record.update({
        trackers: left.filter((tier) => tier.length > 0),
        ...(addedTrackers.length > 0 && { addedTrackers: addedTrackers.filter((added) => added.url !== known) }),
      });
      services.announces.removeTracker(id, known);
      this.deps.tellFacts();
    });
  }

  /** Each that is new in a tier of its own, behind the others. */
  #addTrackers(
    accountId: AccountId,
    choose: (known: TrackerSet, isPrivate: boolean) => readonly string[],
  ): Promise<void> {
    const { record, services } = this.deps;
    return record.turns.run(async () => {
      const { id, trackers, summary, ownerId, addedTrackers = [] } = record.row;
      const added = choose(new TrackerSet(trackers), summary?.isPrivate ?? false);
      if (added.length === 0) return;
      const noted = accountId === ownerId ? [] : added.map((url) => ({ url, accountId }));
      await record.update({
        trackers: [...trackers, ...added.map((url) => [url])],
        ...(noted.length > 0 && { addedTrackers: [...addedTrackers, ...noted] }),
      });
      services.announces.addTrackers(id, added);
      this.deps.tellFacts();
    });
  }
}

function trackerInvalid(reason: string): AppError {
  return new AppError('TRACKER_INVALID', `url: ${reason}`);
}
