// The settings in force: a flag beats what is stored, until the setting is changed.
import {
  PINNABLE_CONNECTION_SETTINGS,
  PINNABLE_PEER_SETTINGS,
  type AddingDefaultsDto,
  type ConnectionsDto,
  type PeerLimitsDto,
  type WebDto,
} from '../../../shared-protocol/dto/settings.js';
import type { NetworkDto } from '../../../shared-protocol/dto/network.js';
import type { EncryptionPolicy } from '../../../shared-protocol/encryption-policy.js';
import type { PortRange } from '../../../shared-protocol/commands/engine-options.js';
import type { QueueLimits } from '../../../shared-protocol/commands/limits.js';
import type { NetworkOptions, ProxyOptions } from '../../../shared-protocol/network/network-options.js';
import { parsePortList } from '../../../shared-protocol/port-list.js';
import type { Collection } from '../../../storage/types.js';
import type { SettingsData } from './settings-data.js';

/** docs/api.md: 0 peers per torrent means the engine's default, 80. */
const DEFAULT_MAX_PEERS_PER_TORRENT = 80;
/** docs/limits.md, "Starting values". */
const DEFAULT_MAX_PEERS = 1_000;
/** Fewer by itself only where fewer are allowed. */
const LEAST_UPLOAD_SLOTS = 8;

/** docs/semantics.md section 8: on prefers encryption and accepts plain; off dials in plain and accepts both. */
export function policyOf(isEnabled: boolean): EncryptionPolicy {
  return isEnabled ? 'preferred' : 'allowed';
}

export function isEncrypting(policy: EncryptionPolicy): boolean {
  return policy === 'required' || policy === 'preferred';
}

function proxyOptions(stored: SettingsData['network']['proxy']): ProxyOptions | null {
  const { kind, host, port, username, password, peers, trackers, guarded } = stored;
  if (kind === 'none') return null;
  const credentials = username === '' && password === '' ? null : { username, password };
  return { kind, host, port, credentials, peers, trackers, isGuarded: guarded };
}

/** From the command line; null leaves what is stored. */
export interface SettingsOverrides {
  readonly peerPort: number | null;
  readonly peerPorts?: readonly PortRange[] | null;
  readonly bind?: string | null;
  readonly proxy?: ProxyOptions | null;
  readonly anonymous?: boolean | null;
  readonly portableNames?: boolean | null;
  readonly encryption: EncryptionPolicy | null;
  readonly dht: boolean | null;
  readonly lsd: boolean | null;
  readonly upnp: boolean | null;
  readonly host?: string | null;
  readonly port?: number | null;
  readonly maxPeers?: number | null;
}

export class Settings {
  constructor(
    private readonly collection: Collection<SettingsData>,
    private readonly overrides: SettingsOverrides,
  ) {}

  /** Calls the listener after another front has changed them. */
  onChanged(listener: () => void): void {
    this.collection.onChanged(listener);
  }

  /** Returns the group as it is on disk. */
  stored<Group extends keyof SettingsData>(group: Group): SettingsData[Group] {
    return this.collection.data[group];
  }

  /** Durable when it resolves. @throws AppError `STORAGE_FAILED` */
  async store<Group extends keyof SettingsData>(group: Group, value: SettingsData[Group]): Promise<void> {
    await this.edit(group, () => value);
  }

  /** Like {@link store}, from what is stored when its turn comes. */
  async edit<Group extends keyof SettingsData>(
    group: Group,
    change: (stored: SettingsData[Group]) => SettingsData[Group],
  ): Promise<void> {
    await this.change((data) => {
      data[group] = change(data[group]);
    });
  }

  /** Several groups at once, all or nothing; what `change` throws leaves all as it is. */
  change(change: (data: SettingsData) => void): Promise<void> {
    return this.collection.update(change);
  }

  /** Where torrents go that do not say: absolute. The command line says where to only as long as nothing is stored. */
  get savePath(): string {
    return this.stored('save_path');
  }

  get peerPort(): number {
    return this.overrides.peerPort ?? this.stored('peer_limits').listen_port;
  }

  /** The first of these that is free is taken; none: {@link peerPort} alone. */
  get peerPorts(): readonly PortRange[] {
    if (this.isPeerPortForced) return this.overrides.peerPorts ?? [];
    return parsePortList(this.stored('network').listen_ports) ?? [];
  }

  /** A port that was stored may be given up when it is taken; one from the command line may not. */
  get isPeerPortForced(): boolean {
    return (this.overrides.peerPort ?? this.overrides.peerPorts ?? null) !== null;
  }

  /** The way out. */
  get network(): NetworkOptions {
    const { bind, proxy } = this.stored('network');
    return { bind: this.overrides.bind ?? (bind || null), proxy: this.overrides.proxy ?? proxyOptions(proxy) };
  }

  get isAnonymous(): boolean {
    return this.overrides.anonymous ?? this.stored('network').anonymous;
  }

  /** How torrents begin that do not say. */
  get adding(): AddingDefaultsDto {
    const { portableNames = null } = this.overrides;
    const stored = this.stored('adding');
    if (portableNames === null) return { ...stored, pinned: [] };
    return { ...stored, portable_names: portableNames, pinned: ['portable_names'] };
  }

  /** Network settings that a flag has decided. */
  get networkPins(): NetworkDto['pinned'] {
    const { bind = null, proxy = null, anonymous = null } = this.overrides;
    const decided = {
      ...{ bind: bind !== null, proxy: proxy !== null, anonymous: anonymous !== null },
      listen_ports: this.isPeerPortForced,
    };
    return (['bind', 'listen_ports', 'anonymous', 'proxy'] as const).filter((setting) => decided[setting]);
  }

  /** Peer settings that a flag has decided. */
  get peerPins(): PeerLimitsDto['pinned'] {
    const { dht, encryption, upnp } = this.overrides;
    const decided = {
      listen_port: this.isPeerPortForced,
      ...{ dht_enabled: dht !== null, encryption_enabled: encryption !== null, upnp_enabled: upnp !== null },
    };
    return PINNABLE_PEER_SETTINGS.filter((setting) => decided[setting]);
  }

  /** Peer settings of this run. */
  get peersInForce(): PeerLimitsDto['in_force'] {
    const isOneOfSeveral = this.isPeerPortForced && this.overrides.peerPort === null;
    return {
      listen_port: isOneOfSeveral ? null : this.peerPort,
      dht_enabled: this.isDhtOn,
      encryption_enabled: isEncrypting(this.encryption),
      upnp_enabled: this.isPortMappingOn,
    };
  }

  /** Settings of where the service listens that a flag decides at each start. */
  get webPins(): WebDto['pinned'] {
    const { host = null, port = null } = this.overrides;
    return [...(port === null ? [] : ['port' as const]), ...(host === null ? [] : ['bind_all' as const])];
  }

  get maxPeersPerTorrent(): number {
    return this.stored('peer_limits').max_peers_per_torrent || DEFAULT_MAX_PEERS_PER_TORRENT;
  }

  get queueLimits(): QueueLimits {
    const { max_active_downloads, max_active_seeds, stalled_minutes } = this.stored('queue_limits');
    return {
      maxActiveDownloads: max_active_downloads,
      maxActiveSeeds: max_active_seeds,
      stalledMinutes: stalled_minutes,
    };
  }

  get encryption(): EncryptionPolicy {
    const stored = this.stored('connections').encryption;
    return this.overrides.encryption ?? stored ?? policyOf(this.stored('peer_limits').encryption_enabled);
  }

  get isDhtOn(): boolean {
    return this.overrides.dht ?? this.stored('peer_limits').dht_enabled;
  }

  get isLsdOn(): boolean {
    return this.overrides.lsd ?? this.stored('connections').lsd_enabled;
  }

  /** Peers of all torrents together. */
  get maxPeers(): number {
    return this.overrides.maxPeers ?? (this.stored('connections').max_peers || DEFAULT_MAX_PEERS);
  }

  /** Upload slots of all torrents together; null: as the engine likes. */
  get uploadSlots(): { readonly min: number; readonly max: number } | null {
    const max = this.stored('connections').upload_slots;
    return max === 0 ? null : { min: Math.min(max, LEAST_UPLOAD_SLOTS), max };
  }

  /** Settings of {@link connectionsInForce} that a flag has decided. */
  get connectionPins(): ConnectionsDto['pinned'] {
    const { maxPeers = null, encryption, lsd } = this.overrides;
    const decided = { max_peers: maxPeers !== null, encryption: encryption !== null, lsd_enabled: lsd !== null };
    return PINNABLE_CONNECTION_SETTINGS.filter((setting) => decided[setting]);
  }

  get connectionsInForce(): ConnectionsDto['in_force'] {
    return { max_peers: this.maxPeers, encryption: this.encryption, lsd_enabled: this.isLsdOn };
  }

  get isPortMappingOn(): boolean {
    return this.overrides.upnp ?? this.stored('peer_limits').upnp_enabled;
  }

  /** Writes the defaults of a first start, so that a later default does not change what people rely on. */
  async persist(): Promise<void> {
    await this.collection.update(() => undefined);
  }
}
