// The stored settings, and what holds in this run: a flag beats what is stored, until the setting is changed.
// What a newer version adds, a group or a field of one, has its default until it is stored.
import { z } from 'zod';
import {
  addingDefaultsSchema,
  type AddingDefaultsDto,
  PINNABLE_CONNECTION_SETTINGS,
  PINNABLE_PEER_SETTINGS,
  blocklistSchema,
  limitsSchema,
  peerLimitsBodySchema,
  queueLimitsSchema,
  seedingDefaultsSchema,
  updaterSchema,
  storedConnectionsSchema,
  watchFolderSchema,
  webBodySchema,
  type ConnectionsDto,
  type PeerLimitsDto,
  type WebDto,
} from '../../../shared-protocol/dto/settings.js';
import {
  categorySeedingRuleSchema,
  seedingRuleForAllSchema,
  trackerSeedingRuleSchema,
} from '../../../shared-protocol/dto/seeding.js';
import { storedCompatibleSchema } from '../../../shared-protocol/dto/compatible.js';
import { storedNetworkSchema, type NetworkDto } from '../../../shared-protocol/dto/network.js';
import type { EncryptionPolicy } from '../../../shared-protocol/encryption-policy.js';
import type { PortRange } from '../../../shared-protocol/commands/engine-options.js';
import type { QueueLimits } from '../../../shared-protocol/commands/limits.js';
import type { NetworkOptions, ProxyOptions } from '../../../shared-protocol/network/network-options.js';
import { parsePortList } from '../../../shared-protocol/port-list.js';
import type { Collection } from '../../../storage/types.js';
import { NO_LIMITS } from './rate-units.js';

/** docs/api.md: 0 peers per torrent means the engine's default, 80. */
const DEFAULT_MAX_PEERS_PER_TORRENT = 80;
/** docs/limits.md, "Starting values". */
const DEFAULT_MAX_PEERS = 1_000;
/** Fewer by itself only where fewer are allowed. */
const LEAST_UPLOAD_SLOTS = 8;
/** No spec value; a fixed port can be forwarded. */
const DEFAULT_LISTEN_PORT = 51_413;
/** docs/architecture.md#the-run-contract. */
const DEFAULT_HTTP_PORT = 9480;

const DEFAULTS = {
  limits: NO_LIMITS,
  queue_limits: { max_active_downloads: 0, max_active_seeds: 0, stalled_minutes: 0 },
  peer_limits: {
    listen_port: DEFAULT_LISTEN_PORT,
    max_peers_per_torrent: 0,
    dht_enabled: true,
    encryption_enabled: true,
    upnp_enabled: true,
  },
  network: {
    bind: '',
    listen_ports: '',
    anonymous: false,
    proxy: {
      kind: 'none' as const,
      ...{ host: '', port: 0, username: '', password: '' },
      ...{ peers: true, trackers: true, guarded: false },
    },
  },
  seeding_defaults: { ratio_limit: null, time_min_limit: null },
  seeding_rules: { inactive_min_limit: null, action: 'pause' as const, categories: [], trackers: [] },
  connections: { max_peers: 0, upload_slots: 0, encryption: null, lsd_enabled: true },
  adding: {
    content_layout: 'original' as const,
    incomplete_path: '',
    incomplete_suffix: null,
    preallocation: 'none' as const,
    paused: false,
    portable_names: false,
  },
  compatible: { qbittorrent: true, transmission: true },
  watch_folder: { path: '', delete_after_add: false, enabled: false },
  blocklist: { url: '', enabled: false, last_loaded_at: 0, entries: 0 },
  web: { enabled: true, port: DEFAULT_HTTP_PORT, bind_all: false },
  updater: {
    enabled: true,
    channel: 'stable' as const,
    last_checked_at: 0,
    last_seen_version: '',
    last_announced_version: '',
  },
};

/** Ratio and time of the defaults are in `seeding_defaults`. */
const seedingRulesSchema = seedingRuleForAllSchema.omit({ ratio_limit: true, time_min_limit: true }).extend({
  categories: z.array(categorySeedingRuleSchema),
  trackers: z.array(trackerSeedingRuleSchema),
});

export const settingsSchema = z.object({
  save_path: z.string().min(1),
  limits: withDefaults(limitsSchema, DEFAULTS.limits),
  queue_limits: withDefaults(queueLimitsSchema.required(), DEFAULTS.queue_limits),
  peer_limits: withDefaults(peerLimitsBodySchema, DEFAULTS.peer_limits),
  connections: withDefaults(storedConnectionsSchema, DEFAULTS.connections),
  network: withDefaults(storedNetworkSchema, DEFAULTS.network),
  seeding_defaults: withDefaults(seedingDefaultsSchema, DEFAULTS.seeding_defaults),
  seeding_rules: withDefaults(seedingRulesSchema, DEFAULTS.seeding_rules),
  adding: withDefaults(addingDefaultsSchema, DEFAULTS.adding),
  compatible: withDefaults(storedCompatibleSchema, DEFAULTS.compatible),
  watch_folder: withDefaults(watchFolderSchema, DEFAULTS.watch_folder),
  blocklist: withDefaults(blocklistSchema, DEFAULTS.blocklist),
  /** The user name is account 1's. */
  web: withDefaults(webBodySchema.omit({ username: true }), DEFAULTS.web),
  /** The source of the installation is found at each start; what was announced last is ours alone. */
  updater: withDefaults(
    updaterSchema
      .omit({ install_source: true, signed: true, has_source: true })
      .extend({ last_announced_version: z.string() }),
    DEFAULTS.updater,
  ),
});
export type SettingsData = z.infer<typeof settingsSchema>;

function withDefaults<Value extends object>(schema: z.ZodType<Value>, defaults: Value) {
  const complete = (stored: unknown) => (isObject(stored) ? { ...defaults, ...stored } : stored);
  return z.preprocess(complete, schema).prefault({});
}

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

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function defaultSettings(savePath: string): SettingsData {
  return { save_path: savePath, ...DEFAULTS };
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
