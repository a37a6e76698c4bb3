// Settings of Transmission that Swarmd has none for, with what is true of it: what it does not do is off, what it always does
// is on. None of them can be changed. Programs are never more than off and empty, and where the service keeps its own
// files is told to no account.

const KIB_UNITS = ['KiB', 'MiB', 'GiB', 'TiB'];

export const CONSTANT_SETTINGS = {
  /** Tools choose by them what they ask for (docs/compatible.md). */
  version: '4.0.6 (Swarmd)',
  rpc_version: 17,
  rpc_version_minimum: 14,
  rpc_version_semver: '5.3.0',
  units: {
    'speed-units': KIB_UNITS.map((unit) => `${unit}/s`),
    'speed-bytes': 1024,
    'size-units': KIB_UNITS,
    'size-bytes': 1024,
    'memory-units': KIB_UNITS,
    'memory-bytes': 1024,
  },
  config_dir: '',
  cache_size_mb: 0,
  default_trackers: '',
  tcp_enabled: true,
  utp_enabled: false,
  script_torrent_added_enabled: false,
  script_torrent_added_filename: '',
  script_torrent_done_enabled: false,
  script_torrent_done_filename: '',
  script_torrent_done_seeding_enabled: false,
  script_torrent_done_seeding_filename: '',
} as const;
