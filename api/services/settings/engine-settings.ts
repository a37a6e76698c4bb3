// Settings that the engine is told: the queue's limits and those of peers. Stored first, then in force.
import type { EncryptionPolicy } from '../../../shared-protocol/encryption-policy.js';
import type { EngineClient } from '../../../shared-protocol/commands.js';
import type {
  ConnectionsBody,
  ConnectionsDto,
  PeerLimitsBody,
  PeerLimitsDto,
  QueueLimitsDto,
} from '../../../shared-protocol/dto/settings.js';
import { unlessEngineAway } from '../../../shared-protocol/errors.js';
import { isEncrypting, policyOf, type Settings } from './settings.js';

export interface EngineSettingsDeps {
  readonly engine: { readonly client: Pick<EngineClient, 'setQueueLimits' | 'setPeerLimits'> };
  readonly settings: Pick<
    Settings,
    'stored' | 'store' | 'change' | 'queueLimits' | 'maxPeersPerTorrent' | HowPeersAreMet
  >;
}

type HowPeersAreMet =
  | ('peerPins' | 'peersInForce' | 'connectionPins' | 'connectionsInForce')
  | ('peerPort' | 'encryption' | 'isDhtOn' | 'isLsdOn' | 'isPortMappingOn' | 'maxPeers');

/** Peer settings with what the command line has decided. */
export interface PeerSettings {
  /** 0: another one at each start. */
  readonly port: number;
  readonly encryption: EncryptionPolicy;
  readonly isDhtOn: boolean;
  readonly isLsdOn: boolean;
  readonly isPortMappingOn: boolean;
  readonly maxPeers: number;
  readonly maxPeersPerTorrent: number;
}

export class EngineSettings {
  constructor(private readonly deps: EngineSettingsDeps) {}

  /** Peers of a torrent that has no limit of its own. */
  get maxPeersPerTorrent(): number {
    return this.deps.settings.maxPeersPerTorrent;
  }

  get queueLimits(): QueueLimitsDto {
    const { stalled_minutes, ...limits } = this.deps.settings.stored('queue_limits');
    return { ...limits, ...(stalled_minutes > 0 && { stalled_minutes }) };
  }

  /** @throws AppError `STORAGE_FAILED`, `ENGINE_TIMEOUT` */
  async setQueueLimits({ stalled_minutes, ...limits }: QueueLimitsDto): Promise<void> {
    const { engine, settings } = this.deps;
    await settings.change(({ queue_limits }) => {
      Object.assign(queue_limits, limits, stalled_minutes !== undefined && { stalled_minutes });
    });
    await tellEngine(() => engine.client.setQueueLimits(settings.queueLimits));
  }

  /** The stored ones. */
  get peerLimits(): PeerLimitsBody {
    return this.deps.settings.stored('peer_limits');
  }

  /** With what the command line has decided. */
  get shownPeerLimits(): PeerLimitsDto {
    const { peerPins: pinned, peersInForce: in_force } = this.deps.settings;
    return { ...this.peerLimits, pinned, in_force };
  }

  /** How peers are met, as it is stored, with what the command line has decided. */
  get connections(): ConnectionsDto {
    const { settings } = this.deps;
    const { encryption, ...stored } = settings.stored('connections');
    return {
      ...stored,
      encryption: encryption ?? policyOf(settings.stored('peer_limits').encryption_enabled),
      pinned: settings.connectionPins,
      in_force: settings.connectionsInForce,
    };
  }

  /** From the next start on; the switch of the peer settings follows. @throws AppError `STORAGE_FAILED` */
  async setConnections(connections: ConnectionsBody): Promise<void> {
    await this.deps.settings.change((data) => {
      data.connections = connections;
      data.peer_limits = { ...data.peer_limits, encryption_enabled: isEncrypting(connections.encryption) };
    });
  }

  /** Settings that hold, or will from the next start on. */
  get peers(): PeerSettings {
    const { settings } = this.deps;
    const { peerPort: port, encryption, isDhtOn, isLsdOn, isPortMappingOn, maxPeers, maxPeersPerTorrent } = settings;
    return { port, encryption, isDhtOn, isLsdOn, isPortMappingOn, maxPeers, maxPeersPerTorrent };
  }

  /** Peers per torrent hold now, the rest from the next start on. @throws as {@link setQueueLimits} */
  async setPeerLimits(limits: PeerLimitsBody): Promise<void> {
    const { engine, settings } = this.deps;
    await settings.change((data) => {
      const isSwitched = data.peer_limits.encryption_enabled !== limits.encryption_enabled;
      data.peer_limits = limits;
      if (isSwitched) data.connections = { ...data.connections, encryption: null };
    });
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
  await unlessEngineAway(tell(), () => undefined);
}
