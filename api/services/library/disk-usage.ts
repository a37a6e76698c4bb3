// Who takes how much room, and how much there is (docs/api.md, GET /api/storage). On a volume each torrent counts once; of
// accounts each counts all that it holds, though the data are there once. Owns what each account is told: volumes of its
// own torrents and home, and no path but for administrators.
import { setImmediate as othersRan } from 'node:timers/promises';
import type { StorageDto, VolumeDto } from '../../../shared-protocol/dto/storage.js';
import type { VolumeLook } from '../../../shared-protocol/folders.js';
import { emptyStats } from '../../../shared-protocol/stats-table.js';
import type { Account } from '../../auth/account.js';
import type { Engines } from '../../engines/engines.js';
import type { SavePaths } from '../settings/save-paths.js';
import type { Labels } from './labels.js';
import type { Library } from './library.js';
import { sharesOf, type ListedTorrent } from './shares.js';
import type { VolumeLooks } from './volume-looks.js';

/** Measured: a millisecond; requests are answered in between. */
const COUNTED_AT_A_TIME = 1_000;
/** Paths of a volume in one answer. */
const MAX_PATHS_SHOWN = 100;

const WEEK_S = 7 * 86_400;

export interface Taken {
  torrents: number;
  bytes: number;
  size: number;
}

export interface DiskUsageDeps {
  readonly library: Pick<Library, 'visibleTo' | 'stats'>;
  readonly labels: Pick<Labels, 'category'>;
  readonly savePaths: Pick<SavePaths, 'defaultOf'>;
  readonly volumes: { of(engine: string): Pick<VolumeLooks, 'at'> };
  readonly engines: Pick<Engines, 'names' | 'nameFor' | 'nameOf'>;
  /** Unix seconds. */
  readonly now: () => number;
}

/** The paths on one machine. */
interface CountedPaths {
  readonly byPath: Map<string, Taken>;
  /** Bytes that have come lately. */
  readonly recentByPath: Map<string, number>;
}

interface Counted {
  readonly byEngine: Map<string, CountedPaths>;
  readonly byAccount: Map<number, Taken>;
  readonly byCategory: Map<number | null, Taken>;
}

export class DiskUsage {
  constructor(private readonly deps: DiskUsageDeps) {}

  async of(account: Account): Promise<StorageDto> {
    const { savePaths, engines } = this.deps;
    const { byEngine, byAccount, byCategory } = await this.#count(account);
    const own = savePaths.defaultOf(account);
    const ownEngine = engines.nameFor(account.engine, own);
    const { byPath } = pathsOf(byEngine, ownEngine);
    if (!byPath.has(own)) byPath.set(own, nothing());
    const volumes = await Promise.all(
      [...byEngine].map(([engine, counted]) =>
        this.#volumes(counted, {
          ...{ engine, own: engine === ownEngine ? own : null },
          showsPaths: account.role === 'admin',
        }),
      ),
    );
    return {
      volumes: volumes.flat(),
      accounts: [...byAccount].map(([id, taken]) => ({ id, ...taken })).sort((a, b) => a.id - b.id),
      categories: [...byCategory].map(([id, taken]) => ({ id, ...taken })).sort((a, b) => (a.id ?? 0) - (b.id ?? 0)),
    };
  }

  /** Bytes free where the account saves by default; null: the volume does not answer. */
  async freeBytesOf(account: Account): Promise<number | null> {
    return (await this.roomAt(account, this.deps.savePaths.defaultOf(account)))?.freeBytes ?? null;
  }

  /** How full the volume is on which an account's path lies, or is yet to be made; null: the system did not say in time. */
  async roomAt({ engine }: Pick<Account, 'engine'>, path: string): Promise<VolumeLook | null> {
    const volumes = this.deps.volumes.of(this.deps.engines.nameFor(engine, path));
    return (await volumes.at([path])).get(path) ?? null;
  }

  async #volumes({ byPath, recentByPath }: CountedPaths, shown: Shown): Promise<VolumeDto[]> {
    const fullest = [...byPath.keys()].sort((a, b) => byPath.get(b)!.size - byPath.get(a)!.size);
    const looks = await this.deps.volumes.of(shown.engine).at(fullest);
    const volumes = toVolumes(fullest, { byPath, recentByPath }, looks, shown);
    const isOneOfSeveral = this.deps.engines.names.length > 1 && shown.showsPaths;
    return isOneOfSeveral ? volumes.map((volume) => ({ ...volume, engine: shown.engine })) : volumes;
  }

  /** Others than administrators count what they hold themselves, not what is shared with them. */
  async #count(account: Account): Promise<Counted> {
    const { library, engines } = this.deps;
    const isAdmin = account.role === 'admin';
    const counted: Counted = { byEngine: new Map(), byAccount: new Map(), byCategory: new Map() };
    if (!isAdmin) counted.byAccount.set(account.id, nothing());
    let seen = 0;
    for (const torrent of [...library.visibleTo(account)]) {
      if (++seen % COUNTED_AT_A_TIME === 0) await othersRan();
      const shares = isAdmin ? sharesOf(torrent) : [torrent].filter(({ ownerId }) => ownerId === account.id);
      const taken = this.#takenBy(torrent);
      if (shares.length === 0 || !taken) continue;
      // One that lies where another account put it is on no volume that this one is told of.
      if (torrent.savePath !== '') {
        const { byPath, recentByPath } = pathsOf(counted.byEngine, engines.nameOf(torrent.id));
        add(byPath, torrent.savePath, taken);
        const recent = (recentByPath.get(torrent.savePath) ?? 0) + this.#recentOf(torrent, taken);
        recentByPath.set(torrent.savePath, recent);
      }
      for (const { ownerId } of shares) add(counted.byAccount, ownerId, taken);
      const categories = new Set(shares.map(({ library: { categoryId } }) => this.#categoryOf(categoryId)));
      for (const categoryId of categories) add(counted.byCategory, categoryId, taken);
    }
    return counted;
  }

  /** One that was deleted is none (shared-protocol/library-record.ts). */
  #categoryOf(id: number | null): number | null {
    return id !== null && this.deps.labels.category(id) ? id : null;
  }

  /** Bytes of it that have come within a week: what it found on disk did not come. */
  #recentOf({ row, rowTag, addedAt, completedAt }: ListedTorrent, { bytes }: Taken): number {
    if ((completedAt ?? addedAt) < this.deps.now() - WEEK_S) return 0;
    const stats = emptyStats();
    return this.deps.library.stats.read(row, rowTag, stats) ? Math.min(bytes, stats.totalDown) : 0;
  }

  /** null: it has gone meanwhile. */
  #takenBy({ row, rowTag, totalBytes }: ListedTorrent): Taken | null {
    const stats = emptyStats();
    if (!this.deps.library.stats.read(row, rowTag, stats)) return null;
    return { torrents: 1, bytes: Math.min(stats.bytesDone, totalBytes), size: totalBytes };
  }
}

/** A volume while its torrents are being counted. */
type Counting = Omit<VolumeDto, keyof Taken | 'recent_bytes'> & Taken & { recent_bytes: number };

interface Shown {
  readonly engine: string;
  /** Where the caller saves by default; null: on another engine. */
  readonly own: string | null;
  readonly showsPaths: boolean;
}

function pathsOf(byEngine: Map<string, CountedPaths>, engine: string): CountedPaths {
  const paths = byEngine.get(engine) ?? { byPath: new Map(), recentByPath: new Map() };
  byEngine.set(engine, paths);
  return paths;
}

/** The volumes of these paths, the one with the most first; paths of which nothing is known are one of their own. */
function toVolumes(
  paths: readonly string[],
  { byPath, recentByPath }: CountedPaths,
  looks: ReadonlyMap<string, VolumeLook | null>,
  { own, showsPaths }: Shown,
): VolumeDto[] {
  const ownDevice = own === null ? null : (looks.get(own)?.device ?? null);
  const volumes = new Map<number | null, Counting>();
  for (const path of paths) {
    const look = looks.get(path) ?? null;
    const { totalBytes: total_bytes = null, freeBytes: free_bytes = null } = look ?? {};
    const used_bytes = total_bytes === null || free_bytes === null ? null : total_bytes - free_bytes;
    const known = volumes.get(look?.device ?? null);
    const is_default = own !== null && (look?.device ?? null) === ownDevice;
    const room = { total_bytes, free_bytes, used_bytes, is_default };
    const fresh: Counting = { ...room, ...nothing(), recent_bytes: 0, paths: [] };
    const volume = known ?? fresh;
    volume.recent_bytes += recentByPath.get(path) ?? 0;
    addTo(volume, byPath.get(path) ?? nothing());
    if (showsPaths && volume.paths.length < MAX_PATHS_SHOWN) volume.paths.push(path);
    volumes.set(look?.device ?? null, volume);
  }
  return [...volumes.values()];
}

function nothing(): Taken {
  return { torrents: 0, bytes: 0, size: 0 };
}

function add<Key>(sums: Map<Key, Taken>, key: Key, taken: Taken): void {
  const sum = sums.get(key) ?? nothing();
  addTo(sum, taken);
  sums.set(key, sum);
}

function addTo(sum: Taken, { torrents, bytes, size }: Taken): void {
  sum.torrents += torrents;
  sum.bytes += bytes;
  sum.size += size;
}
