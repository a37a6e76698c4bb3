// The figures of transfer/info: rates of the torrents that the caller is shown, bytes that its account has moved since the
// process began, and what is true of the whole service: limits, and whether peers can reach it.
import type { AccountContext } from '../../routes/route.js';
import { toBytesPerSec } from './limit-units.js';

/** Unix seconds. */
const PROCESS_STARTED_AT = Math.floor(Date.now() / 1_000 - process.uptime());

export interface TransferInfo {
  /** `disconnected`: the way out is closed. `firewalled`: peers cannot reach this machine. */
  readonly connection_status: 'connected' | 'firewalled' | 'disconnected';
  readonly dht_nodes: number;
  /** Bytes since the process began, counted in steps of five minutes. */
  readonly dl_info_data: number;
  readonly up_info_data: number;
  /** Bytes per second, as are the next three; 0 is no limit. */
  readonly dl_info_speed: number;
  readonly up_info_speed: number;
  readonly dl_rate_limit: number;
  readonly up_rate_limit: number;
}

/** @throws AppError `ENGINE_TIMEOUT` */
export async function transferInfo(context: AccountContext): Promise<TransferInfo> {
  const { services, principal } = context;
  const { account } = principal;
  const { down_kbps, up_kbps } = services.speedLimits.inForce;
  const from = String(PROCESS_STARTED_AT);
  const [status, { total_download_rate, total_upload_rate }, { total }] = await Promise.all([
    connectionStatus(context),
    services.snapshots.totals(account),
    services.history.history(account, { by: 'account', resolution: '5min', from }),
  ]);
  return {
    connection_status: status,
    dht_nodes: 0,
    dl_info_data: total.down,
    up_info_data: total.up,
    dl_info_speed: total_download_rate,
    up_info_speed: total_upload_rate,
    dl_rate_limit: toBytesPerSec(down_kbps),
    up_rate_limit: toBytesPerSec(up_kbps),
  };
}

async function connectionStatus({ services }: AccountContext): Promise<TransferInfo['connection_status']> {
  const { state } = await services.networkSettings.shown();
  if (!state || state.binding === 'closed') return 'disconnected';
  return state.peer_port === 0 ? 'firewalled' : 'connected';
}
