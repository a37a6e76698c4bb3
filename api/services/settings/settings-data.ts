// The settings as they are stored: each group, its schema and its defaults. What a newer version adds, a group or a field of one,
// has its default until it is stored.
import { z } from 'zod';
import { storedCompatibleSchema } from '../../../shared-protocol/dto/compatible.js';
import { storedNetworkSchema } from '../../../shared-protocol/dto/network.js';
import {
  categorySeedingRuleSchema,
  seedingRuleForAllSchema,
  trackerSeedingRuleSchema,
} from '../../../shared-protocol/dto/seeding.js';
import {
  addingDefaultsSchema,
  blocklistSchema,
  limitsSchema,
  peerLimitsBodySchema,
  queueLimitsSchema,
  seedingDefaultsSchema,
  storedConnectionsSchema,
  updaterSchema,
  watchFolderSchema,
  webBodySchema,
} from '../../../shared-protocol/dto/settings.js';
import { ADMIN_ACCOUNT_ID } from '../../../shared-protocol/ids.js';
import { NO_LIMITS } from './rate-units.js';

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
    excluded_file_names: [] as string[],
  },
  compatible: { qbittorrent: true, transmission: true },
  watch_folder: { path: '', delete_after_add: false, enabled: false, set_by: ADMIN_ACCOUNT_ID as number },
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
  /** `set_by`: the account that what lies there is added for. */
  watch_folder: withDefaults(watchFolderSchema.extend({ set_by: z.int() }), DEFAULTS.watch_folder),
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

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function defaultSettings(savePath: string): SettingsData {
  return { save_path: savePath, ...DEFAULTS };
}
