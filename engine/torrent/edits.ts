// What people change about a torrent besides its running, each durable before it resolves and in force at once. What
// is wanted of its files is `file-choice.ts`.
import type { RateLimits } from '../../shared-protocol/commands.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { LibraryRecord } from '../../shared-protocol/library-record.js';
import type { TorrentRow } from '../../storage/types.js';
import { cleanTrackerUrl } from '../metainfo/index.js';
import { MAX_TRACKERS_PER_TORRENT } from '../tracker/constants.js';
import { readTrackerUrl } from '../tracker/tracker-url.js';
import { FileChoice, type FileChoiceDeps } from './file-choice.js';
import type { PriorityChange } from './file-priorities.js';
import type { Presence } from './presence.js';
import type { TorrentRecord } from './record.js';
import type { TorrentServices } from './services.js';

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

  /** @throws AppError `TRACKER_INVALID` */
  async addTracker(text: string): Promise<void> {
    const { transport, refusal } = readTrackerUrl(text.trim());
    if (refusal !== null) throw trackerInvalid(refusal);
    if (transport === 'none') throw trackerInvalid('expected http, https or udp');
    const url = cleanTrackerUrl(text);
    if (url === null) throw trackerInvalid('not a URL');
    return this.#addTrackers(({ trackers }) => {
      const known = trackers.flat();
      if (known.length < MAX_TRACKERS_PER_TORRENT || known.includes(url)) return [url];
      throw trackerInvalid(`the torrent has ${MAX_TRACKERS_PER_TORRENT} trackers already`);
    });
  }

  /** What a second add brings; a private torrent keeps to its own. */
  mergeTrackers(tiers: TorrentRow['trackers']): Promise<void> {
    return this.#addTrackers(({ summary }) => (summary?.isPrivate ? [] : tiers.flat()));
  }

  removeTracker(url: string): Promise<void> {
    const { record, services } = this.deps;
    return record.turns.run(async () => {
      const { id, trackers } = record.row;
      if (!trackers.flat().includes(url)) return;
      const left = trackers.map((tier) => tier.filter((other) => other !== url));
      await record.update({ trackers: left.filter((tier) => tier.length > 0) });
      services.announces.removeTracker(id, url);
      this.deps.tellFacts();
    });
  }

  /** Each that is not there yet in a tier of its own, behind the others. */
  #addTrackers(choose: (row: TorrentRow) => readonly string[]): Promise<void> {
    const { record, services } = this.deps;
    return record.turns.run(async () => {
      const { id, trackers } = record.row;
      const known = new Set(trackers.flat());
      const room = Math.max(0, MAX_TRACKERS_PER_TORRENT - known.size);
      const added = [...new Set(choose(record.row))].filter((url) => !known.has(url)).slice(0, room);
      if (added.length === 0) return;
      await record.update({ trackers: [...trackers, ...added.map((url) => [url])] });
      services.announces.addTrackers(id, added);
      this.deps.tellFacts();
    });
  }
}

function trackerInvalid(reason: string): AppError {
  return new AppError('TRACKER_INVALID', `url: ${reason}`);
}
