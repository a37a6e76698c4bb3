// What people change about a torrent, each durable before it resolves and in force at once: each one's share (the rules
// are in `holders.ts`), and who has one. What is wanted of its files is `file-selection.ts`.
import { isDeepStrictEqual } from 'node:util';
import type { CommandParams } from '../../shared-protocol/commands.js';
import type { RateLimits, TorrentPeerLimits } from '../../shared-protocol/commands/limits.js';
import type { ReplaceTrackersParams } from '../../shared-protocol/commands/trackers.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import type { HolderRow, TorrentRow } from '../../storage/types.js';
import { replacePrefix, sameTracker } from '../metainfo/index.js';
import { FileSelection, type FileSelectionDeps } from './file-selection.js';
import type { PriorityChange } from './files/file-priorities.js';
import { editShare, heldBy, holderOf, holdersOf, joinTiers } from './holders.js';
import { readInfo } from './files/content.js';
import { notIn, rearranged, refuseUnspoken, withFurther, withTracker } from './share-trackers.js';
import { takeMetadata, withMetadata, type MetadataDeps } from './metadata-received.js';
import { stoppedAt } from './stop-points.js';
import type { Recheck } from './check/recheck.js';
import type { DiskFailures } from './disk-failures.js';
import type { SwarmManager } from './swarm/swarm-manager.js';
import type { TorrentRecord } from './resume/torrent-record.js';
import type { TorrentServices } from './session-interface.js';

export interface EditsDeps extends FileSelectionDeps, MetadataDeps {
  readonly services: TorrentServices;
  readonly record: TorrentRecord;
  readonly swarmManager: SwarmManager;
  readonly recheck: Recheck;
  readonly diskFailures: DiskFailures;
  /** Follows another number of connections or slots that the torrent may have. */
  onPeerLimitsChanged(): void;
}

/** Addresses that {@link TorrentEdits.replaceTrackers} replaces, and the account that it does so for. */
export type TrackerReplacement = Pick<ReplaceTrackersParams, 'find' | 'replace' | 'accountId' | 'isDryRun'>;

export type LibraryChange = Pick<CommandParams<'setLibraryRecord'>, 'record' | 'before'>;

/** `by`: whose share (`holders.ts`); undefined: everybody's. All of them throw `TORRENT_NOT_FOUND` where it has none. */
export class TorrentEdits {
  readonly #files: FileSelection;
  /** The pause after the check is being stored. */
  #isStopping = false;

  constructor(private readonly deps: EditsDeps) {
    this.#files = new FileSelection(deps);
  }

  /** One that is told to run does not stop where it was to. */
  setPaused(paused: boolean, by?: AccountId): Promise<void> {
    return this.#edit(by, () => (paused ? { paused } : { paused, stopAfter: null }));
  }

  /**
   * Pauses all shares that were to stop after the check, which is done; where all of them were, the torrent rests already.
   * That it cannot be stored is known by the next run, which stops again.
   */
  stopAfterCheck(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    const { services, record } = this.deps;
    this.#edit(undefined, (holder) => stoppedAt(holder, 'check'))
      .catch((error: unknown) => {
        services.log.warn('pause after the check not stored', { torrent: record.row.id, reason: String(error) });
      })
      .finally(() => (this.#isStopping = false));
  }

  setRateLimits(rateLimits: RateLimits, by?: AccountId): Promise<void> {
    return this.#edit(by, () => ({ rateLimits }));
  }

  setPeerLimits(peerLimits: TorrentPeerLimits, by?: AccountId): Promise<void> {
    return this.#edit(by, () => ({ peerLimits }));
  }

  /** @throws AppError `FILE_INDEX_INVALID` */
  setFilePriorities(change: PriorityChange, by?: AccountId): Promise<void> {
    return this.deps.record.edits.run(() => this.#files.set(change, by));
  }

  /** Earliest pieces first. */
  setSequential(sequential: boolean, by?: AccountId): Promise<void> {
    return this.#edit(by, () => ({ sequential }));
  }

  /** BEP 16. */
  setSuperSeeding(superSeeding: boolean, by?: AccountId): Promise<void> {
    return this.#edit(by, () => ({ superSeeding }));
  }

  setFirstLastFirst(firstLastFirst: boolean, by?: AccountId): Promise<void> {
    return this.#edit(by, () => ({ firstLastFirst }));
  }

  setForceStart(forceStart: boolean, by?: AccountId): Promise<void> {
    return this.#edit(by, () => ({ forceStart }));
  }

  setQueueKey(queueKey: number): Promise<void> {
    return this.deps.record.update({ queueKey });
  }

  /** `before`: what `record` was made of. @throws AppError `RECORD_CHANGED` where that is not what there is */
  setLibraryRecord({ record, before }: LibraryChange, by?: AccountId): Promise<void> {
    return this.#edit(by ?? this.#owner, ({ library }) => {
      if (before && !isDeepStrictEqual(library, before)) {
        throw new AppError('RECORD_CHANGED', 'torrent: changed by another meanwhile');
      }
      return { library: record };
    });
  }

  /**
   * Nothing when the share has that address already. `accountId`: who brings it, by whose rights it is reached.
   * @throws AppError `TRACKER_INVALID`
   */
  async addTracker(text: string, accountId: AccountId, by?: AccountId): Promise<void> {
    refuseUnspoken(text, 'url');
    return this.#edit(by ?? this.#owner, (holder) => withTracker(holder, accountId, text));
  }

  /**
   * Puts these tiers in place of those of the share, in this order. `accountId`: the account that brings what is new.
   * @throws AppError `TRACKER_INVALID`
   */
  async setTrackers(tiers: TorrentRow['trackers'], accountId: AccountId, by?: AccountId): Promise<void> {
    return this.#edit(by ?? this.#owner, (holder) => rearranged(holder, accountId, tiers), true);
  }

  /** Returns how many addresses were, or with `isDryRun` would be, replaced. @throws AppError `TRACKER_INVALID` */
  async replaceTrackers({ find, replace, accountId, isDryRun }: TrackerReplacement, by?: AccountId): Promise<number> {
    const replaced = (url: string) => replacePrefix(url, find, replace);
    const found = new Set<string>();
    const change = (holder: HolderRow): Partial<HolderRow> => {
      const known = holder.trackers.flat();
      for (const url of known) if (replaced(url) !== null) found.add(url);
      if (!known.some((url) => replaced(url) !== null)) return {};
      // An address that stands there already is not there twice afterwards.
      const tiers = joinTiers([[], holder.trackers.map((tier) => tier.map((url) => replaced(url) ?? url))]);
      return rearranged(holder, accountId, tiers);
    };
    if (isDryRun) editShare(this.deps.record.row, by, change);
    else await this.#edit(by, change, true);
    return found.size;
  }

  /** Adds the trackers that a second add brings, as far as there is room; a private torrent keeps to its own. */
  mergeTrackers(tiers: TorrentRow['trackers'], accountId: AccountId, by?: AccountId): Promise<void> {
    return this.#edit(by ?? this.#owner, (holder) => (this.#isPrivate ? {} : withFurther(holder, accountId, tiers)));
  }

  /** Whichever of them leads to that address. */
  removeTracker(url: string, by?: AccountId): Promise<void> {
    return this.#edit(by, ({ trackers, addedTrackers = [] }) => {
      const known = sameTracker(trackers.flat(), url);
      const left = trackers.map((tier) => tier.filter((other) => other !== known));
      return {
        trackers: left.filter((tier) => tier.length > 0),
        ...(addedTrackers.length > 0 && { addedTrackers: addedTrackers.filter((added) => added.url !== known) }),
      };
    });
  }

  /**
   * One more holds it, with a share as this one; who does already keeps its own, and merges trackers. `infoBytes`: of its
   * torrent file, which is used at once where the metadata is unknown.
   * @throws AppError `TORRENT_PRIVATE` without the file of a private torrent
   */
  join(holder: HolderRow, infoBytes: Uint8Array | null): Promise<void> {
    const { record } = this.deps;
    const { accountId, trackers } = holder;
    return record.edits.run(async () => {
      const { row } = record;
      if (this.deps.hasEnded) throw notThere(row);
      const holders = holdersOf(row);
      if (holders.some((other) => other.accountId === accountId)) {
        return this.#store(
          editShare(row, accountId, (own) => (this.#isPrivate ? {} : withFurther(own, accountId, trackers))),
        );
      }
      if (this.#isPrivate && !infoBytes) {
        throw new AppError('TORRENT_PRIVATE', 'torrent: private, and added without its file', { id: row.id });
      }
      await this.#store(heldBy(row, [...holders, this.#asItIsNow(holder)]));
      if (infoBytes && !row.summary) await takeMetadata(this.deps, infoBytes, accountId);
    });
  }

  /** Takes a share away; with the last one, or when all are meant, `removeAll` is called. */
  leave(by: AccountId | undefined, removeAll: () => Promise<void>): Promise<void> {
    const { record } = this.deps;
    return record.edits.run(async () => {
      const { row } = record;
      if (this.deps.hasEnded) throw notThere(row);
      if (by !== undefined) holderOf(row, by);
      const [first, ...others] = holdersOf(row).filter(({ accountId }) => by !== undefined && accountId !== by);
      if (!first) return removeAll();
      await this.#store(heldBy(row, [first, ...others]));
    });
  }

  get #owner(): AccountId {
    return this.deps.record.row.ownerId;
  }

  get #isPrivate(): boolean {
    return this.deps.record.row.summary?.isPrivate ?? false;
  }

  /** `rearranges`: trackers that stay may stand elsewhere. */
  #edit(by: AccountId | undefined, edit: (holder: HolderRow) => Partial<HolderRow>, rearranges = false): Promise<void> {
    const { record } = this.deps;
    return record.edits.run(() => this.#store(editShare(record.row, by, edit), rearranges));
  }

  /** The share of one who joins, where the metadata that it may have waited for is there. */
  #asItIsNow(holder: HolderRow): HolderRow {
    const { record, services, swarmManager } = this.deps;
    if (!record.row.summary) return holder;
    const { selectOnly, pendingPriorities, excludedNames = null } = holder;
    const isChoosing = selectOnly !== null || pendingPriorities !== null || excludedNames !== null;
    const info = isChoosing ? readInfo(services, record.row, swarmManager.openedContent) : null;
    return withMetadata(holder, info);
  }

  async #store(change: Partial<TorrentRow>, rearranges = false): Promise<void> {
    if (Object.keys(change).length === 0) return;
    const { record, swarmManager, services } = this.deps;
    const { id, trackers, summary } = record.row;
    const within = (mutate: () => void) => {
      const now = change.trackers ?? trackers;
      this.deps.change(() => {
        mutate();
        // Before it goes to work: these are a holder's who does not want it to.
        for (const url of notIn(now, trackers)) services.announces.removeTracker(id, url);
      });
      // After it has stopped, where it does.
      if (rearranges) services.announces.setTiers(id, now);
      else services.announces.addTrackers(id, notIn(trackers, now));
    };
    if (change.filePriorities === undefined || !summary) await record.update(change, within);
    else await this.#files.store(change, within);
    if (change.firstLastFirst !== undefined) swarmManager.onFirstLastFirst();
    if (change.sequential !== undefined) swarmManager.swarm?.download?.picker.setSequential(change.sequential);
    if (change.rateLimits) swarmManager.swarm?.limits.set(change.rateLimits);
    if (change.peerLimits) this.deps.onPeerLimitsChanged();
    if (change.superSeeding !== undefined) swarmManager.swarm?.updateSuperSeeding();
    if (change.holders !== undefined || change.ownerId !== undefined) swarmManager.swarm?.onAccountsChanged();
  }
}

function notThere({ id }: TorrentRow): AppError {
  return new AppError('TORRENT_NOT_FOUND', 'torrent not found', { id });
}
