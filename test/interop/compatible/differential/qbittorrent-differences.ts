// How the shapes of Swarmd's answers differ from those of qBittorrent 4.5.2, and why.
import type { Difference } from '../../../support/compatible/differences.js';

const NEWER = 'WebAPI 2.11.4, which Swarmd says it speaks, has it; 4.5.2 speaks 2.8.19';
const LIBTORRENT = 'a setting of libtorrent, or of how qBittorrent uses it';
const CHARSET = 'the charset of JSON is named';

const PREFERENCES = /^GET app\/preferences$/;
const LISTS = /^(GET|POST) (torrents\/(info|properties)|sync\/maindata)/;

const NEWER_PREFERENCES = [
  ...['add_stopped_enabled', 'add_to_top_of_queue', 'add_trackers_\\w+', 'announce_port', 'app_instance_name'],
  ...[
    'confirm_torrent_\\w+',
    'current_interface_name',
    'delete_torrent_content_files',
    'dht_bootstrap_nodes',
    'i2p_\\w+',
  ],
  ...['ignore_ssl_errors', 'mark_of_the_web', 'max_inactive_seeding_time(_enabled)?', 'merge_trackers', 'proxy_\\w+'],
  ...[
    'python_executable_path',
    'rss_fetch_delay',
    'ssl_\\w+',
    'status_bar_external_ip',
    'torrent_content_remove_option',
  ],
  ...['torrent_file_size_limit', 'use_subcategories', 'use_unwanted_folder'],
];

const LIBTORRENT_PREFERENCES = [
  ...['async_io_threads', 'checking_memory_use', 'connection_speed', 'disk_\\w+', 'enable_coalesce_read_write'],
  ...['enable_piece_extent_affinity', 'enable_upload_suggestions', 'file_pool_size', 'hashing_threads'],
  ...[
    'idn_support_enabled',
    'max_concurrent_http_announces',
    'memory_working_set_limit',
    'peer_tos',
    'peer_turnover\\w*',
  ],
  ...[
    'request_queue_size',
    'save_resume_data_interval',
    'send_buffer_\\w+',
    'socket_backlog_size',
    'stop_tracker_timeout',
  ],
  ...['upload_choking_algorithm', 'upload_slots_behavior', 'upnp_lease_duration', 'utp_tcp_mixed_mode'],
];

const NEWER_FIGURES = [
  ...['comment', 'has_metadata', 'inactive_seeding_time_limit', 'max_inactive_seeding_time', 'popularity', 'private'],
  ...['progress', 'reannounce', 'root_path', 'last_external_address_v[46]', 'use_subcategories'],
];

function key(names: readonly string[]): RegExp {
  return new RegExp(`\\.(${names.join('|')}) (string|number|boolean)$`);
}

export const QBITTORRENT_DIFFERENCES: readonly Difference[] = [
  { line: /^type application\/json$/, only: 'real', because: CHARSET },
  { line: /^type application\/json;charset=utf-8$/, only: 'swarmd', because: CHARSET },
  { of: /app\/buildInfo/, line: /^\.platform string$/, only: 'swarmd', because: NEWER },
  { of: PREFERENCES, line: key(NEWER_PREFERENCES), only: 'swarmd', because: NEWER },
  { of: PREFERENCES, line: key(LIBTORRENT_PREFERENCES), only: 'real', because: LIBTORRENT },
  {
    of: PREFERENCES,
    line: /^\.proxy_(type number|torrents_only boolean)$/,
    only: 'real',
    because: `otherwise: ${NEWER}`,
  },
  { of: LISTS, line: key(NEWER_FIGURES), only: 'swarmd', because: NEWER },
  {
    of: /sync\/maindata/,
    line: /^\.torrents\.<hash>\.hash string$/,
    only: 'swarmd',
    because: 'torrents are the objects of torrents/info, hash included',
  },
  { of: /torrents\/export/, line: /^type text\/plain/, only: 'real', because: NEWER },
  { of: /torrents\/export/, line: /^type application\/x-bittorrent$/, only: 'swarmd', because: NEWER },
  {
    of: /log\/main/,
    line: /^\[\]/,
    only: 'real',
    because: 'the log of the service is shown to nobody by this interface',
  },
  {
    of: /setPreferences .*no json/,
    line: /^status 200$|^no body$/,
    only: 'real',
    because: 'what is no JSON is refused',
  },
  { of: /setPreferences .*no json/, line: /^status 400$|^type text|^text$/, only: 'swarmd', because: 'and told so' },
];
