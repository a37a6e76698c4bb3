// The arrows between files and folders, kept by `npm run lint`: no circle of imports anywhere, imports of types included,
// and in each room an order of folders, in which a lower one never imports a higher one.

/**
 * Circles hide where a thing begins: whoever reads one file of a circle has to read all of them. The pages of the browser
 * interface lead to each other as their links do.
 */
const noCircles = {
  name: 'no-circular',
  severity: 'error',
  from: { pathNot: '^api/web/' },
  to: { circular: true },
};

/** Matches the places (`folder/`, files) of a layer below a folder, without those inside them that other layers have. */
function placesOf(root, places, others) {
  const inside = others.filter((other) => places.some((place) => other.startsWith(place)));
  return { path: anyOf(root, places), ...(inside.length > 0 && { pathNot: anyOf(root, inside) }) };
}

function anyOf(root, places) {
  return `^${root}/(${places.map((place) => place.replaceAll('.', '\\.')).join('|')})`;
}

/**
 * Rules for an order below one folder, the highest layer first: each is a list of folders and files. Nothing imports from
 * a layer above its own, and nothing is without a layer. Neighbours in one layer may know each other, as far as that makes
 * no circle.
 */
function inOrder(root, layers) {
  const placed = {
    name: `${root}: each file in a layer`,
    severity: 'error',
    from: { path: `^${root}/`, pathNot: anyOf(root, layers.flat()) },
    to: {},
  };
  const ordered = layers.slice(1).map((layer, above) => {
    const higher = layers.slice(0, above + 1).flat();
    const lower = layers.slice(above + 1).flat();
    const others = layers.flat().filter((place) => !layer.includes(place));
    return {
      name: `${root}: ${layer.join(' ')} below ${layers[above].join(' ')}`,
      severity: 'error',
      from: placesOf(root, layer, others),
      to: placesOf(root, higher, lower),
    };
  });
  return [placed, ...ordered];
}

/** Folders that are introduced to each other from above only. */
function apart(root, folders) {
  const path = `^${root}/(${folders.join('|')})`;
  return {
    name: `${root}: ${folders.join(' ')} apart`,
    severity: 'error',
    from: { path },
    to: { path, pathNot: `^${root}/$1` },
  };
}

const DISCOVERY = ['peers/', 'pex/', 'lsd/', 'port-mapping/', 'tracker/', 'dht/', 'webseed/', 'choker/', 'claims/'];

const engine = [
  ...inOrder('engine', [
    ['worker.ts'],
    ['core.ts', 'event-log.ts', 'expose.ts'],
    ['session/'],
    ['creation/'],
    ['torrent/'],
    DISCOVERY,
    ['wire/', 'picker/'],
    ['disk/'],
    ['hashing/', 'metainfo/'],
    ['net/'],
    ['util/', 'wasm/'],
    ['environment.ts'],
  ]),
  apart('engine', DISCOVERY),
  apart('engine', ['wire/', 'picker/']),
  apart('engine', ['hashing/', 'metainfo/']),
  // What all torrents of a session share is known to each of their parts, wherever it lies.
  ...inOrder('engine/torrent', [
    ['torrent.ts'],
    ['lifecycle.ts'],
    ['edits.ts', 'swarm-events.ts', 'details/', 'reading/', 'stats-row.ts', 'told-facts.ts'],
    ['file-selection.ts', 'metadata-received.ts', 'own-names.ts'],
    ['move/'],
    ['check/'],
    ['swarm/'],
    ['bans/', 'upload/'],
    ['download/'],
    ['peer/', 'disk-failures.ts'],
    ['resume/', 'facts.ts'],
    ['pieces/', 'error-state.ts', 'tracker-errors.ts'],
    ['files/', 'holders.ts', 'share-trackers.ts', 'stop-points.ts', 'summary.ts'],
    [
      'session-interface.ts',
      'state.ts',
      'check/check-throttle.ts',
      'check/proof-turns.ts',
      'download/slab-budget.ts',
      'files/file-list-cache.ts',
    ],
  ]),
];

const api = [
  ...inOrder('api', [
    ['main.ts', 'web/'],
    ['app/'],
    ['http/'],
    ['cli/', 'desktop/', 'static/', 'documentation/', 'compatible/'],
    ['routes/'],
    ['ws/', 'metrics/'],
    ['torrent-list/'],
    ['services/'],
    ['engines/'],
    ['auth/', 'egress/', 'engine-client/'],
    ['log-records.ts'],
    ['errors.ts', 'clocks.ts', 'logging.ts', 'version.ts'],
  ]),
  apart('api', ['cli/', 'desktop/', 'static/', 'documentation/', 'compatible/']),
  apart('api', ['ws/', 'metrics/']),
  apart('api', ['auth/', 'egress/', 'engine-client/']),
  ...inOrder('api/services', [
    ['automations/', 'status/', 'servers/'],
    // Feeds and blocklists come along with the torrents of other programs.
    ['import/'],
    ['rss/', 'watch-folder/', 'blocklist/', 'updater/', 'hooks/', 'history/', 'export/', 'backup/', 'remotes/'],
    ['notices/'],
    ['accounts/'],
    ['library/'],
    ['settings/'],
    ['fleet/'],
    ['background-service.ts', 'even-clock.ts', 'steady-clock.ts', 'engine-health.ts', 'engine-supervisor.ts'],
  ]),
  apart('api/services', [
    'rss/',
    'watch-folder/',
    'blocklist/',
    'updater/',
    'hooks/',
    'remotes/',
    'history/',
    'export/',
    'backup/',
  ]),
];

/**
 * The api's thread and the engine's share data and messages only, and the browser has a program of its own. A fleet starts the
 * program as anybody does, and knows nothing of it.
 */
const rooms = Object.entries({
  'api/(?!web/|main)': ['engine/', 'engine-process', 'api/web', 'cli', 'bench', 'fleet', 'test'],
  'cli/': ['engine/', 'engine-process', 'api', 'storage', 'bench', 'fleet', 'test'],
  'engine-process/': ['engine/', 'api/(?!logging|version)', 'cli', 'bench', 'fleet', 'test'],
  'api/web/': ['engine/', 'engine-process', 'storage', 'api/(?!web/)', 'bench', 'fleet', 'test'],
  'engine/': ['engine-process', 'api', 'cli', 'bench', 'fleet', 'test'],
  'storage/': ['api', 'cli', 'engine/', 'engine-process', 'bench', 'fleet', 'test'],
  'fleet/': ['api', 'cli', 'engine/', 'engine-process', 'storage', 'bench', 'test'],
  'shared-protocol/': ['api', 'cli', 'engine/', 'engine-process', 'storage', 'bench', 'fleet', 'test'],
}).map(([room, others]) => ({
  name: `${room} apart`,
  severity: 'error',
  from: { path: `^${room}` },
  to: { path: `^(${others.join('|')})` },
}));

module.exports = {
  forbidden: [noCircles, ...rooms, ...engine, ...api],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|node_modules)/' },
    skipAnalysisNotInRules: true,
  },
};
