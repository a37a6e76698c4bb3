// The figures of transfer/info: rates of the torrents that the caller is shown, bytes that its account has moved since the
// process began, and what is true of the whole service: limits, and whether peers can reach it.
import type { Account } from '../../auth/account.js';
import type { AccountContext } from '../../routes/route.js';
import type { Services } from '../../routes/services.js';
import { toBytesPerSec } from './limit-units.js';

/** Bytes. */
interface Moved {
  readonly down: number;
  readonly up: number;
}

export interface TransferInfo {
  /** `disconnected`: the way out is closed. `firewalled`: no peer has come by itself yet. */
  readonly connection_status: 'connected' | 'firewalled' | 'disconnected';
  readonly dht_nodes: number;
  /** Bytes since the process began. */
  readonly dl_info_data: number;
  readonly up_info_data: number;
  /** Bytes per second, as are the next three; 0 is no limit. */
  readonly dl_info_speed: number;
  readonly up_info_speed: number;
  readonly dl_rate_limit: number;
  readonly up_rate_limit: number;
}

export type NetworkFacts = Pick<TransferInfo, 'connection_status' | 'dht_nodes'>;

/** @throws AppError `ENGINE_TIMEOUT` */
export async function transferInfo(context: AccountContext): Promise<TransferInfo> {
  const { services, principal } = context;
  const { account } = principal;
  const { down_kbps, up_kbps } = services.speedLimits.inForce;
  const [network, moved, { total_download_rate, total_upload_rate }] = await Promise.all([
    networkFacts(services),
    movedSinceStart(services, account),
    services.snapshots.totals(account),
  ]);
  return {
    ...network,
    dl_info_data: moved.down,
    up_info_data: moved.up,
    dl_info_speed: total_download_rate,
    up_info_speed: total_upload_rate,
    dl_rate_limit: toBytesPerSec(down_kbps),
    up_rate_limit: toBytesPerSec(up_kbps),
  };
}

/** Facts of the whole service; while the engine is away it is `disconnected`. */
export async function networkFacts({
  networkSettings,
  engineHealth,
}: Pick<Services, 'networkSettings' | 'engineHealth'>): Promise<NetworkFacts> {
  const [{ state }, health] = await Promise.all([networkSettings.shown(), engineHealth.check().catch(() => null)]);
  const dht_nodes = health?.dhtNodes ?? 0;
  if (!health || !state || state.binding === 'closed') return { connection_status: 'disconnected', dht_nodes };
  return { connection_status: health.hasIncoming ? 'connected' : 'firewalled', dht_nodes };
}

/** Bytes of the account since the process began. */
export async function movedSinceStart(
  { trafficRecorder }: Pick<Services, 'trafficRecorder'>,
  account: Account,
): Promise<Moved> {
  await trafficRecorder.settle();
  return trafficRecorder.movedBy(account.id);
}

/** Whether the alternative limits are wished for, or hold by a rule. */
export function isAlternative({ speedLimits }: Pick<Services, 'speedLimits'>): boolean {
  const { stored, inForce } = speedLimits;
  return stored.alt_active || inForce.source === 'alt';
}
