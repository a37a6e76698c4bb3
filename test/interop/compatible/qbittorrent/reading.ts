// Calls of @ctrl/qbittorrent that change nothing, about the torrents of `adding.ts`.
import { settled, type Side, type Step } from '../../../support/compatible/side-by-side.js';
import { pick, type Fields } from './scene.js';

export const READING: readonly Step[] = [
  {
    name: 'listTorrents',
    run: async ({ client }) => ((await client['listTorrents']!()) as Fields[]).map(({ name }) => String(name)).sort(),
  },
  ...(
    [
      { category: 'films' },
      { category: '' },
      { tag: '' },
      { filter: 'completed' },
      { filter: 'paused' },
      { filter: 'nonsense' },
      { sort: 'name', limit: 2 },
      { sort: 'name', reverse: true, offset: 1, limit: 1 },
      { sort: 'name', offset: -1 },
    ] as Fields[]
  ).map((query) => ({
    name: `listTorrents ${JSON.stringify(query)}`,
    run: async ({ client }: Side) => {
      const names = ((await client['listTorrents']!(query)) as Fields[]).map(({ name }) => String(name));
      return 'sort' in query ? names : names.sort();
    },
    ...(query['filter'] === 'completed' && {
      swarmd: { told: ['alpha.bin', 'gamma'], because: 'what is added is checked, stopped or not' },
    }),
  })),
  {
    name: 'getAllData',
    run: async ({ client }) => {
      const { labels, torrents } = (await client['getAllData']!()) as { labels: Fields[]; torrents: Fields[] };
      return { labels: labels.map(({ name }) => String(name)).sort(), torrents: torrents.length };
    },
  },
  { name: 'getTorrent, one that is not there', run: ({ client }) => client['getTorrent']!('f'.repeat(40)) },
  {
    name: 'torrentProperties',
    run: async (side) =>
      pick(
        await side.client['torrentProperties']!(side.samples.alpha.infoHash),
        ...['save_path', 'piece_size', 'pieces_num', 'pieces_have', 'total_size', 'comment', 'total_wasted'],
        ...['dl_limit', 'up_limit', 'share_ratio', 'nb_connections', 'seeds', 'peers'],
      ),
  },
  { name: 'torrentProperties, none', run: ({ client }) => client['torrentProperties']!('f'.repeat(40)) },
  {
    name: 'torrentTrackers',
    run: async (side) => {
      const trackers = async () => (await side.client['torrentTrackers']!(side.samples.alpha.infoHash)) as Fields[];
      const all = await settled(trackers, (rows) => rows.some(({ url, status }) => isHttp(url) && status === 2));
      return all.filter(({ url }) => isHttp(url)).map((row) => pick(row, 'url', 'status', 'tier', 'num_seeds', 'msg'));
    },
  },
  {
    name: 'torrentTrackers, those that are none',
    run: async (side) => {
      const all = (await side.client['torrentTrackers']!(side.samples.alpha.infoHash)) as Fields[];
      return all.filter(({ url }) => !isHttp(url)).map((row) => pick(row, 'url', 'status'));
    },
  },
  { name: 'torrentWebSeeds', run: (side) => side.client['torrentWebSeeds']!(side.samples.alpha.infoHash) },
  {
    name: 'torrentFiles',
    run: async (side) => {
      const files = (await side.client['torrentFiles']!(side.samples.beta.infoHash)) as Fields[];
      return files.map((file) => pick(file, 'index', 'name', 'size', 'progress', 'priority', 'piece_range'));
    },
  },
  { name: 'torrentPieceStates', run: (side) => side.client['torrentPieceStates']!(side.samples.alpha.infoHash) },
  { name: 'torrentPieceHashes', run: (side) => side.client['torrentPieceHashes']!(side.samples.alpha.infoHash) },
  {
    name: 'torrentPeers',
    run: async (side) =>
      pick(
        await side.client['torrentPeers']!(side.samples.alpha.infoHash),

        'full_update',
        'peers',
        'show_flags',
      ),
  },
  { name: 'torrentPeers, none', run: ({ client }) => client['torrentPeers']!('f'.repeat(40)) },
];

function isHttp(url: unknown): boolean {
  return String(url).startsWith('http');
}
