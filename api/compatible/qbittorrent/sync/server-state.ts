// `server_state` of `sync/maindata`: what an account's torrents move together, what it moved so far, and what is true of the
// service. The figures that take a look at the disk or at the engine are as old as a few seconds.
import type { Account } from '../../../auth/account.js';
import type { Services } from '../../../routes/services.js';
import { toBytesPerSec } from '../limit-units.js';
import { isAlternative, movedSinceStart, networkFacts, type NetworkFacts } from '../transfer-info.js';
import { changedFields } from '../objects/object-delta.js';
import type { ObjectMoment } from '../objects/object-list.js';

const FRESH_MS = 5_000;
/** Milliseconds after which a page of qBittorrent asks again; its default. */
const REFRESH_MS = 1_500;
const NO_RATIO = '-';

export type StateServices = Pick<
  Services,
  'speedLimits' | 'networkSettings' | 'engineSettings' | 'engineHealth' | 'history' | 'trafficRecorder' | 'diskUsage'
>;

/** The part that is looked up now and then. Bytes. */
interface SlowState extends NetworkFacts {
  readonly dl_info_data: number;
  readonly up_info_data: number;
  readonly alltime_dl: number;
  readonly alltime_ul: number;
  /** Bytes up by bytes down, with two decimals. */
  readonly global_ratio: string;
  readonly free_space_on_disk: number;
}

export type ServerState = SlowState & ReturnType<typeof quickState>;

const NOTHING_KNOWN: SlowState = {
  connection_status: 'disconnected',
  dht_nodes: 0,
  dl_info_data: 0,
  up_info_data: 0,
  alltime_dl: 0,
  alltime_ul: 0,
  global_ratio: NO_RATIO,
  free_space_on_disk: -1,
};

/** The state for one account. */
export class StateOfAccount {
  #slow: SlowState = NOTHING_KNOWN;
  #lookedAtMs = -Infinity;
  #look: Promise<void> = Promise.resolve();
  #last: ServerState | null = null;

  /** `nowMs`: monotonic. Waits for the first look alone. The same object while nothing has changed. */
  async at(services: StateServices, account: Account, moment: ObjectMoment, nowMs: number): Promise<ServerState> {
    const isFirst = this.#lookedAtMs === -Infinity;
    if (nowMs - this.#lookedAtMs >= FRESH_MS) {
      this.#lookedAtMs = nowMs;
      this.#look = lookAt(services, account).then(
        (slow) => void (this.#slow = slow),
        // While the engine is away the figures before stay.
        () => undefined,
      );
    }
    if (isFirst) await this.#look;
    const state = { ...this.#slow, ...quickState(services, moment) };
    if (!this.#last || Object.keys(changedFields(this.#last, state)).length > 0) this.#last = state;
    return this.#last;
  }
}

/** The part that costs nothing to know. Rates and limits: bytes per second; 0 is no limit. */
function quickState({ speedLimits, engineSettings }: StateServices, { chunks }: ObjectMoment) {
  const { inForce } = speedLimits;
  const { max_active_downloads, max_active_seeds } = engineSettings.queueLimits;
  let [dl_info_speed, up_info_speed, total_peer_connections] = [0, 0, 0];
  for (const { sums } of chunks) {
    dl_info_speed += sums.down;
    up_info_speed += sums.up;
    total_peer_connections += sums.peers;
  }
  return {
    dl_info_speed,
    up_info_speed,
    total_peer_connections,
    dl_rate_limit: toBytesPerSec(inForce.down_kbps),
    up_rate_limit: toBytesPerSec(inForce.up_kbps),
    use_alt_speed_limits: isAlternative({ speedLimits }),
    queueing: max_active_downloads > 0 || max_active_seeds > 0,
    refresh_interval: REFRESH_MS,
    use_subcategories: false,
    last_external_address_v4: '',
    last_external_address_v6: '',
    average_time_queue: 0,
    queued_io_jobs: 0,
    read_cache_hits: '0',
    read_cache_overload: '0',
    write_cache_overload: '0',
    total_buffers_size: 0,
    total_queued_size: 0,
    total_wasted_session: 0,
  };
}

/** @throws AppError of the engine */
async function lookAt(services: StateServices, account: Account): Promise<SlowState> {
  const [network, session, alltime, free] = await Promise.all([
    networkFacts(services),
    movedSinceStart(services, account),
    // As long as it is kept.
    services.history.history(account, { by: 'account', resolution: 'day', from: '0' }),
    services.diskUsage.freeBytesOf(account),
  ]);
  const { down, up } = alltime.total;
  return {
    ...network,
    dl_info_data: session.down,
    up_info_data: session.up,
    alltime_dl: down,
    alltime_ul: up,
    global_ratio: down > 0 && up > 0 ? (up / down).toFixed(2) : NO_RATIO,
    free_space_on_disk: free ?? -1,
  };
}
