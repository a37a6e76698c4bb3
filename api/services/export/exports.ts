// The torrents of an account as another program takes them over: in the format of qBittorrent, with all that Swarmd knows of them
// and that program has a place for (docs/operate/export.md). Owns that an account makes one export at a time.
import type { EngineClient } from '../../../shared-protocol/commands.js';
import type { TorrentDetails } from '../../../shared-protocol/commands/inspection.js';
import { AppError } from '../../../shared-protocol/errors.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import type { SeedPolicy } from '../../../shared-protocol/library-record.js';
import { emptyStats, type TorrentStats } from '../../../shared-protocol/stats-table.js';
import type { Account } from '../../auth/account.js';
import { RequestError } from '../../errors.js';
import type { Labels } from '../library/labels.js';
import type { Library } from '../library/library.js';
import { includesAccess, refOf, statsOfShare, type ListedTorrent } from '../library/shares.js';
import type { ShownLabels } from '../library/shown-labels.js';
import { hasFlag } from '../library/torrent-dto.js';
import { fastresumeOf, type LeavingTorrent } from './fastresume.js';

/** Torrents that the engine is asked for at once; each torrent file may have 10 MiB. No spec value. */
const AT_ONCE = 32;
const FOLDER = 'BT_backup';
const NO_PIECES = { pieceCount: 0, pieceLength: 0, have: new Uint8Array(), availability: null };

export interface ExportedFile {
  /** With `/` between its elements. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface ExportsDeps {
  readonly engine: { readonly client: Pick<EngineClient, 'inspectTorrents' | 'exportTorrent'> };
  readonly library: Pick<Library, 'visibleTo' | 'shownTo' | 'accessOf' | 'find' | 'stats'>;
  readonly labels: Pick<Labels, 'category' | 'tag'>;
  readonly shownLabels: Pick<ShownLabels, 'categories'>;
  /** Unix seconds. */
  readonly now: () => number;
}

export class Exports {
  readonly #underWay = new Set<AccountId>();

  constructor(private readonly deps: ExportsDeps) {}

  /** One file after the other; `close` where they are not wanted any more. @throws RequestError `TOO_MANY_STREAMS` */
  begin(account: Account): { readonly files: AsyncGenerator<ExportedFile, undefined>; readonly close: () => void } {
    if (this.#underWay.has(account.id)) throw new RequestError('TOO_MANY_STREAMS', 'an export is under way already');
    this.#underWay.add(account.id);
    return { files: this.#files(account), close: () => void this.#underWay.delete(account.id) };
  }

  async *#files(account: Account): AsyncGenerator<ExportedFile, undefined> {
    const { library, shownLabels } = this.deps;
    const categories = shownLabels
      .categories(account)
      .map(({ name, default_save_path: path }) => [name, path] as const);
    yield {
      name: 'categories.json',
      bytes: Buffer.from(
        JSON.stringify(Object.fromEntries(categories.map(([name, path]) => [name, { save_path: path }]))),
      ),
    };
    const ids = [...library.visibleTo(account)].map(({ id }) => id);
    const queue: { readonly id: string; readonly place: number }[] = [];
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const torrents = ids.slice(at, at + AT_ONCE).flatMap((id) => this.#leaving(account, library.find(id)));
      const shares = torrents.map((torrent) => refFor(account, torrent));
      const parts = ['files', 'pieces', 'trackers', 'metainfo'] as const;
      const details = await this.deps.engine.client.inspectTorrents({ shares, parts });
      for (const [index, torrent] of torrents.entries()) {
        const found = details[index];
        // Nothing partial: it is there, and cannot be looked at now.
        if (!found && library.find(torrent.id))
          throw new AppError('ENGINE_AWAY', `the engine of ${torrent.id} is away`);
        const leaving = found && this.#describe(torrent, found);
        if (!leaving) continue;
        const metainfo = torrent.hasMetadata
          ? await this.deps.engine.client.exportTorrent(shares[index]!).catch(() => null)
          : null;
        // As qBittorrent names what has both versions.
        const base = `${FOLDER}/${found.metainfo?.infoHashV2?.slice(0, 40) ?? torrent.id}`;
        if (metainfo) yield { name: `${base}.torrent`, bytes: metainfo };
        yield { name: `${base}.fastresume`, bytes: fastresumeOf(leaving.torrent) };
        if (!leaving.torrent.isComplete) queue.push({ id: base.slice(FOLDER.length + 1), place: leaving.place });
      }
    }
    const order = queue.sort((one, other) => one.place - other.place).map(({ id }) => `${id}\n`);
    yield { name: `${FOLDER}/queue`, bytes: Buffer.from(order.join('')) };
  }

  /** None where the account has no right to its torrent file, or does not know where it lies. */
  #leaving(account: Account, torrent: ListedTorrent | undefined): ListedTorrent[] {
    const { library } = this.deps;
    const access = torrent ? library.accessOf(account, torrent) : null;
    if (!torrent || !access || !includesAccess(access, 'editor')) return [];
    const shown = library.shownTo(account, torrent);
    return shown.savePath === '' ? [] : [shown];
  }

  #describe(
    torrent: ListedTorrent,
    { files = [], pieces = NO_PIECES, trackers = [], metainfo }: TorrentDetails,
  ): { readonly torrent: LeavingTorrent; readonly place: number } | null {
    const read = emptyStats();
    if (!this.deps.library.stats.read(torrent.row, torrent.rowTag, read)) return null;
    const stats = statsOfShare(read, torrent);
    const { labels } = this.deps;
    const { library, name, id, savePath } = torrent;
    const tiers = new Map<number, string[]>();
    for (const { tier, url } of trackers) tiers.set(tier, [...(tiers.get(tier) ?? []), url]);
    const category = library.categoryId === null ? undefined : labels.category(library.categoryId);
    return {
      place: stats.queuePosition,
      torrent: {
        ...{ id, name, savePath, files, pieces, ...figuresOf(stats, this.deps.now()), ...limitsOf(library.seedPolicy) },
        shownName: library.name ?? '',
        incompleteSuffix: metainfo?.incompleteSuffix ?? '',
        trackers: [...tiers.values()],
        addedAt: torrent.addedAt,
        completedAt: torrent.completedAt ?? 0,
        isSuperSeeding: torrent.superSeeding === true,
        rateLimits: torrent.rateLimits ?? { downBytesPerSec: 0, upBytesPerSec: 0 },
        category: category?.name ?? '',
        tags: library.tagIds.flatMap((tagId) => labels.tag(tagId)?.name ?? []),
      },
    };
  }
}

/** All of it for administrators, as everywhere. */
function refFor(account: Account, torrent: ListedTorrent) {
  return account.role === 'admin' ? { id: torrent.id } : refOf(torrent);
}

function figuresOf(stats: TorrentStats, now: number) {
  const isComplete = hasFlag(stats, 'completed');
  const uncounted = stats.countedSince > 0 ? Math.max(0, now - stats.countedSince) : 0;
  return {
    isComplete,
    uploadedBytes: stats.totalUp,
    downloadedBytes: stats.totalDown,
    activeSeconds: Math.floor(stats.activeSeconds + uncounted),
    seedingSeconds: Math.floor(stats.seedingSeconds + (isComplete ? uncounted : 0)),
    lastActivityAt: stats.lastActivityAt,
    isPaused: hasFlag(stats, 'paused'),
    isForced: hasFlag(stats, 'forceStart'),
    isSequential: hasFlag(stats, 'sequential'),
    isFirstLastFirst: hasFlag(stats, 'firstLastFirst'),
  };
}

/** A policy that does not say how long it may be inactive has no limit there. */
function limitsOf(policy: SeedPolicy | null): Pick<LeavingTorrent, 'ratio' | 'minutes' | 'inactiveMinutes'> {
  if (!policy) return { ratio: 'inherited', minutes: 'inherited', inactiveMinutes: 'inherited' };
  const { ratioLimit: ratio, minutesLimit: minutes, inactiveMinutesLimit: inactiveMinutes = null } = policy;
  return { ratio, minutes, inactiveMinutes };
}
