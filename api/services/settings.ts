// The stored settings, and what holds in this run: a flag beats what is stored, until the setting is changed.
// A group that a newer version adds gets its defaults from the schema.
import { z } from 'zod';
import type { Collection } from '../../storage/types.js';

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

export const settingsSchema = z.object({ save_path: z.string().min(1), peer_limits: peerLimitsSchema });
export type SettingsData = z.infer<typeof settingsSchema>;

export function defaultSettings(savePath: string): SettingsData {
  return {
    save_path: savePath,
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
    return this.overrides.peerPort ?? this.collection.data.peer_limits.listen_port;
  }

  /** A port that was stored may be given up when it is taken; one from the command line may not. */
  get isPeerPortForced(): boolean {
    return this.overrides.peerPort !== null;
  }

  get maxPeersPerTorrent(): number {
    return this.collection.data.peer_limits.max_peers_per_torrent || DEFAULT_MAX_PEERS_PER_TORRENT;
  }

  /** Writes the defaults of a first start, so that a later default does not change what people rely on. */
  async persist(): Promise<void> {
    await this.collection.update(() => undefined);
  }
}
