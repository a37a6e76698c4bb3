// The trackers of torrents: shown in their tiers, rearranged, announced to at once, and replaced in many torrents.
import type { AnnounceNowResult, ReplaceTrackersParams } from '../../../shared-protocol/commands/trackers.js';
import type { JointClient } from '../../../shared-protocol/commands.js';
import type { ShareRef } from '../../../shared-protocol/commands/shares.js';
import type { TrackerDetail } from '../../../shared-protocol/commands/details.js';
import { fromErrorRecord } from '../../../shared-protocol/errors.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import type { ReplacedTrackersDto } from '../../../shared-protocol/dto/trackers.js';
import type { Account } from '../../auth/account.js';
import { answerFor } from '../../errors.js';
import type { Library } from './library.js';
import type { Quotas } from './quotas.js';
import { includesAccess, refOf } from './shares.js';

export interface TorrentTrackersDeps {
  readonly engine: { readonly client: JointClient };
  readonly library: Pick<Library, 'visibleTo' | 'accessOf' | 'share'>;
  readonly quotas: Pick<Quotas, 'growing'>;
  readonly findAccount: (id: AccountId) => Account | undefined;
}

type Caller = Pick<Account, 'id' | 'role'>;

/** Addresses to look for, and what they become. */
export interface TrackerReplacement {
  readonly find: string;
  readonly replace: string;
  readonly isDryRun: boolean;
}

export class TorrentTrackers {
  constructor(private readonly deps: TorrentTrackersDeps) {}

  async list(share: ShareRef): Promise<readonly TrackerDetail[]> {
    const { trackers } = await this.deps.engine.client.inspectTorrent({ ...share, parts: ['trackers'] });
    if (!trackers) throw new Error('bug: the engine left out what it was asked for');
    return trackers;
  }

  /** In a tier of its own. @throws AppError `TRACKER_INVALID`, RequestError `QUOTA_EXCEEDED` */
  async add(ref: ShareRef, url: string, caller: Caller): Promise<void> {
    const { engine } = this.deps;
    await this.#growing(caller, ref, url.length + 1, () =>
      engine.client.addTracker({ ...ref, url, accountId: caller.id }),
    );
  }

  /**
   * In place of those before; of several holders each has its own.
   * @throws AppError `TRACKER_INVALID`, RequestError `QUOTA_EXCEEDED`
   */
  async setTiers(ref: ShareRef, tiers: readonly (readonly string[])[], caller: Caller): Promise<void> {
    const { engine, library } = this.deps;
    const growth = tiers.flat().join('\n').length - (library.share(ref)?.trackers.length ?? 0);
    await this.#growing(caller, ref, growth, () => engine.client.setTrackers({ ...ref, tiers, accountId: caller.id }));
  }

  /** Never earlier than a tracker allows. @throws AppError `TORRENT_NOT_RUNNING` */
  announceNow(share: ShareRef): Promise<AnnounceNowResult> {
    return this.deps.engine.client.announceNow(share);
  }

  /** In all torrents that the account may edit, an administrator in all there are. @throws AppError `TRACKER_INVALID` */
  async replace(account: Account, replacement: TrackerReplacement): Promise<ReplacedTrackersDto> {
    const { engine, library } = this.deps;
    const isAdmin = account.role === 'admin';
    const shares: ShareRef[] = [];
    for (const torrent of library.visibleTo(account)) {
      const access = library.accessOf(account, torrent);
      if (access && includesAccess(access, 'editor')) shares.push(isAdmin ? { id: torrent.id } : refOf(torrent));
    }
    const params = { ...replacement, shares, accountId: account.id };
    if (!isAdmin && !replacement.isDryRun) await this.#refuseGrowth(params);
    const { matches, failures } = await engine.client.replaceTrackers(params);
    return {
      torrents: matches.map(({ id, addresses }) => ({ id, addresses })),
      failed: failures.map(({ id, error }) => ({ id, ...answerFor(fromErrorRecord(error)).body })),
    };
  }

  /** Longer addresses in many torrents are for each account that owns them what adding them by hand is. */
  async #refuseGrowth(params: ReplaceTrackersParams): Promise<void> {
    const { engine, library, quotas, findAccount } = this.deps;
    const longer = params.replace.length - params.find.length;
    if (longer <= 0) return;
    const { matches } = await engine.client.replaceTrackers({ ...params, isDryRun: true });
    const refs = new Map(params.shares.map((ref) => [ref.id, ref]));
    const growth = new Map<AccountId, number>();
    for (const { id, addresses } of matches) {
      const owner = library.share(refs.get(id) ?? { id })?.ownerId;
      if (owner !== undefined) growth.set(owner, (growth.get(owner) ?? 0) + addresses * longer);
    }
    for (const [owner, chars] of growth) await quotas.growing(findAccount(owner), chars, () => Promise.resolve());
  }

  /** Trackers count for the account that owns the share; an administrator is asked nothing. */
  #growing(caller: Caller, ref: ShareRef, chars: number, run: () => Promise<void>): Promise<void> {
    const { library, quotas, findAccount } = this.deps;
    const share = library.share(ref);
    if (caller.role === 'admin' || !share) return run();
    return quotas.growing(findAccount(share.ownerId), chars, run);
  }
}
