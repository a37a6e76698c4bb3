// The trackers of torrents: shown in their tiers, rearranged, announced to at once, and replaced in many torrents.
import type { AnnounceNowResult, EngineClient, ShareRef, TrackerDetail } from '../../../shared-protocol/commands.js';
import type { ReplacedTrackersDto } from '../../../shared-protocol/dto/trackers.js';
import type { Account } from '../../auth/account.js';
import type { Library } from './library.js';
import { includesAccess, refOf } from './shares.js';

export interface TorrentTrackersDeps {
  readonly engine: { readonly client: EngineClient };
  readonly library: Pick<Library, 'visibleTo' | 'accessOf'>;
}

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

  /** In place of those before; of several holders each has its own. @throws AppError `TRACKER_INVALID` */
  async setTiers(share: ShareRef, tiers: readonly (readonly string[])[], { id }: Pick<Account, 'id'>): Promise<void> {
    await this.deps.engine.client.setTrackers({ ...share, tiers, accountId: id });
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
    const { matches, failures } = await engine.client.replaceTrackers({
      ...replacement,
      shares,
      accountId: account.id,
    });
    return {
      torrents: matches.map(({ id, addresses }) => ({ id, addresses })),
      failed: failures.map(({ id, message }) => ({ id, error: message })),
    };
  }
}
