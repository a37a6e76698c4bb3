// The stored settings, and what holds in this run: a flag beats what is stored, until the setting is changed.
// A group that a newer version adds gets its defaults from the schema.
import { z } from 'zod';
import type { EncryptionPolicy, RateLimits } from '../../shared-protocol/commands.js';
import type { Collection } from '../../storage/types.js';
import { limitsSchema, NO_LIMITS, pairInForce, toRateLimits, type LimitsDto } from './kbps.js';

/** interface.md: 0 peers per torrent means the engine's default, 80. */
const DEFAULT_MAX_PEERS_PER_TORRENT = 80;
/** No spec value; a fixed port can be forwarded. */
const DEFAULT_LISTEN_PORT = 51_413;

const peerLimitsSchema = z.object({
  /** 0: the engine picks one at each start. */
  listen_port: z.int().min(0).max(65_535),
  max_peers_per_torrent: z.int().min(0),
  dht_enabled: z.boolean(),
  encryption_enabled: z.boolean(),
  upnp_enabled: z.boolean(),
});

export const settingsSchema = z.object({
  save_path: z.string().min(1),
  limits: limitsSchema.default(NO_LIMITS),
  peer_limits: peerLimitsSchema,
});
export type SettingsData = z.infer<typeof settingsSchema>;

export function defaultSettings(savePath: string): SettingsData {
  return {
    save_path: savePath,
    limits: NO_LIMITS,
    peer_limits: {
      listen_port: DEFAULT_LISTEN_PORT,
      max_peers_per_torrent: 0,
      dht_enabled: true,
      encryption_enabled: true,
      upnp_enabled: true,
    },
  };
}

/** From the command line; null leaves what is stored. */
export interface SettingsOverrides {
  readonly savePath: string | null;
  readonly peerPort: number | null;
  readonly encryption: EncryptionPolicy | null;
  readonly dht: boolean | null;
  readonly lsd: boolean | null;
  readonly upnp: boolean | null;
}

export class Settings {
  constructor(
    private readonly collection: Collection<SettingsData>,
    private readonly overrides: SettingsOverrides,
  ) {}

  /** Where torrents go that do not say: absolute. */
  get savePath(): string {
    return this.overrides.savePath ?? this.collection.data.save_path;
  }

  get peerPort(): number {
    return this.overrides.peerPort ?? this.#peerLimits.listen_port;
  }

  /** A port that was stored may be given up when it is taken; one from the command line may not. */
  get isPeerPortForced(): boolean {
    return this.overrides.peerPort !== null;
  }

  get maxPeersPerTorrent(): number {
    return this.#peerLimits.max_peers_per_torrent || DEFAULT_MAX_PEERS_PER_TORRENT;
  }

  get limits(): LimitsDto {
    return this.collection.data.limits;
  }

  /** What holds over all torrents now. */
  get rateLimits(): RateLimits {
    return toRateLimits(pairInForce(this.limits));
  }

  async setLimits(limits: LimitsDto): Promise<void> {
    await this.collection.update((data) => {
      data.limits = limits;
    });
  }

  /** The new state. */
  async toggleAltSpeed(): Promise<boolean> {
    let isActive = false;
    await this.collection.update((data) => {
      isActive = !data.limits.alt_active;
      data.limits = { ...data.limits, alt_active: isActive };
    });
    return isActive;
  }

  /** semantics.md section 8: on prefers encryption and accepts plain; off dials in plain and accepts both. */
  get encryption(): EncryptionPolicy {
    return this.overrides.encryption ?? (this.#peerLimits.encryption_enabled ? 'preferred' : 'allowed');
  }

  get isDhtOn(): boolean {
    return this.overrides.dht ?? this.#peerLimits.dht_enabled;
  }

  /** No part of the stored settings says otherwise. */
  get isLsdOn(): boolean {
    return this.overrides.lsd ?? true;
  }

  get isPortMappingOn(): boolean {
    return this.overrides.upnp ?? this.#peerLimits.upnp_enabled;
  }

  /** Writes the defaults of a first start, so that a later default does not change what people rely on. */
  async persist(): Promise<void> {
    await this.collection.update(() => undefined);
  }

  get #peerLimits(): SettingsData['peer_limits'] {
    return this.collection.data.peer_limits;
  }
}
