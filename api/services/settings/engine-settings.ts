// Settings that the engine is told: the queue's limits and those of peers. Stored first, then in force.
import type { EngineClient } from '../../../shared-protocol/commands.js';
import type { PeerLimitsDto, QueueLimitsDto } from '../../../shared-protocol/dto/settings.js';
import { AppError } from '../../../shared-protocol/errors.js';
import type { Settings } from './settings.js';

export interface EngineSettingsDeps {
  readonly engine: { readonly client: Pick<EngineClient, 'setQueueLimits' | 'setPeerLimits'> };
  readonly settings: Pick<Settings, 'stored' | 'store' | 'queueLimits' | 'maxPeersPerTorrent'>;
}

export class EngineSettings {
  constructor(private readonly deps: EngineSettingsDeps) {}

  get queueLimits(): QueueLimitsDto {
    return this.deps.settings.stored('queue_limits');
  }

  /** @throws AppError `STORAGE_FAILED`, `ENGINE_TIMEOUT` */
  async setQueueLimits(limits: QueueLimitsDto): Promise<void> {
    const { engine, settings } = this.deps;
    await settings.store('queue_limits', limits);
    await tellEngine(() => engine.client.setQueueLimits(settings.queueLimits));
  }

  get peerLimits(): PeerLimitsDto {
    return this.deps.settings.stored('peer_limits');
  }

  /** Peers per torrent hold now, the rest from the next start on. @throws as {@link setQueueLimits} */
  async setPeerLimits(limits: PeerLimitsDto): Promise<void> {
    const { engine, settings } = this.deps;
    await settings.store('peer_limits', limits);
    await tellEngine(() => engine.client.setPeerLimits({ maxPeersPerTorrent: settings.maxPeersPerTorrent }));
  }

  /** To an engine that takes another's place. @throws AppError `ENGINE_TIMEOUT` */
  async apply(): Promise<void> {
    const { engine, settings } = this.deps;
    await tellEngine(() => engine.client.setQueueLimits(settings.queueLimits));
    await tellEngine(() => engine.client.setPeerLimits({ maxPeersPerTorrent: settings.maxPeersPerTorrent }));
  }
}

/** An engine that is away is told when it is back. */
export async function tellEngine(tell: () => Promise<void>): Promise<void> {
  try {
    await tell();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'ENGINE_EXITED') throw error;
  }
}
