// How the service is at the moment (docs/api.md, GET /api/status): what others ask for piece by piece, put together for who
// looks at all of it every few seconds. Owns what of it is whose: of the listening port only those are told the number who
// may see the settings that it comes from.
import type { StatusDto } from '../../../shared-protocol/dto/status.js';
import type { GlobalStats } from '../../../shared-protocol/dto/torrents.js';
import type { Ever, Moved } from '../../../storage/traffic-history.js';
import { hasPermission, type Account } from '../../auth/account.js';
import type { EngineHealth } from '../engine-health.js';
import type { History } from '../history/history.js';
import type { TrafficRecorder } from '../history/recorder.js';
import type { DiskUsage } from '../library/disk-usage.js';
import type { NetworkSettings } from '../settings/network-settings.js';
import type { EngineSettings } from '../settings/engine-settings.js';
import type { SpeedLimits } from '../settings/speed-limits.js';

const DAY_S = 86_400;

export interface StatusDeps {
  readonly lists: { totals(account: Account): Promise<GlobalStats> };
  readonly speedLimits: Pick<SpeedLimits, 'inForce'>;
  readonly trafficRecorder: Pick<TrafficRecorder, 'movedBy'>;
  readonly history: Pick<History, 'ever'>;
  readonly diskUsage: Pick<DiskUsage, 'of'>;
  readonly engineHealth: Pick<EngineHealth, 'check' | 'awaySince'>;
  readonly engineSettings: Pick<EngineSettings, 'peers'>;
  readonly networkSettings: Pick<NetworkSettings, 'shown'>;
  /** Unix seconds. */
  readonly now: () => number;
  /** Monotonic milliseconds. */
  readonly nowMs: () => number;
}

export class Status {
  readonly #startedAtMs: number;

  constructor(private readonly deps: StatusDeps) {
    this.#startedAtMs = deps.nowMs();
  }

  /** Also while the engine is away: then no port is open, and nothing is moved. @throws AppError `ENGINE_TIMEOUT` */
  async of(account: Account): Promise<StatusDto> {
    const { lists, speedLimits, diskUsage, engineHealth, nowMs } = this.deps;
    const [totals, { session, ever }, { volumes }, network] = await Promise.all([
      lists.totals(account),
      this.#moved(account),
      diskUsage.of(account),
      this.#network(account),
    ]);
    const { down, up } = ever;
    return {
      uptime: Math.floor((nowMs() - this.#startedAtMs) / 1_000),
      down_rate: totals.total_download_rate,
      up_rate: totals.total_upload_rate,
      peers: totals.total_peers,
      limits: speedLimits.inForce,
      session,
      all_time: { down, up, since: ever.firstDay * DAY_S },
      ratio: down > 0 ? up / down : null,
      disks: volumes.map(({ total_bytes, free_bytes, is_default, paths }) => ({
        total_bytes,
        free_bytes,
        is_default,
        paths,
      })),
      engine_away_since: engineHealth.awaySince(account),
      ...network,
    };
  }

  /** Both of one moment. What was counted just now is in those of the session alone until it is stored. */
  async #moved(account: Account): Promise<{ session: Moved; ever: Ever }> {
    const { trafficRecorder, history, now } = this.deps;
    const stored = await history.ever(account);
    const session = trafficRecorder.movedBy(account.role === 'admin' ? 'all' : account.id);
    const [down, up] = [Math.max(stored?.down ?? 0, session.down), Math.max(stored?.up ?? 0, session.up)];
    const today = down + up > 0 ? Math.floor(now() / DAY_S) : 0;
    return { session, ever: { down, up, firstDay: stored?.firstDay ?? today } };
  }

  async #network(account: Account): Promise<Pick<StatusDto, 'port' | 'dht'>> {
    const { engineHealth, engineSettings, networkSettings } = this.deps;
    const [{ state }, health] = await Promise.all([networkSettings.shown(), engineHealth.check().catch(() => null)]);
    const port = state?.binding === 'closed' ? null : (health?.listeningPort ?? null);
    return {
      port: {
        state: port === null ? 'closed' : health?.hasIncoming ? 'reachable' : 'unknown',
        ...(hasPermission(account, 'perm_change_settings') && { number: port ?? 0 }),
      },
      dht: { enabled: engineSettings.peers.isDhtOn, nodes: health?.dhtNodes ?? 0 },
    };
  }
}
