// Changes that @ctrl/qbittorrent makes to the torrents of `adding.ts`, each read back.
import { settled, type Side, type Step } from '../../../support/compatible/side-by-side.js';
import { DELTA, isStopped, pick, torrentOf, type Fields, type Named } from './scene.js';

/** Calls a method for a torrent, and waits until the torrent's fields are as it should make them. */
function change(method: string, torrent: Named, args: readonly unknown[], expected: Fields): Step {
  return {
    name: `${method} ${torrent} ${JSON.stringify(args)}`,
    run: async (side) => {
      const hash = side.samples[torrent].infoHash;
      const said = await side.client[method]!(hash, ...args);
      const now = await torrentOf(side, hash, (fields) =>
        Object.keys(expected).every((name) => fields[name] === expected[name]),
      );
      return { said, now: pick(now, ...Object.keys(expected)) };
    },
  };
}

const NONE = 'f'.repeat(40);
const TRACKER = 'http://127.0.0.1:9/announce/2';

export const LABELS: readonly Step[] = [
  change('setTorrentCategory', 'beta', ['films'], { category: 'films' }),
  change('setTorrentCategory', 'beta', ['nowhere'], { category: 'films' }),
  change('resetTorrentCategory', 'beta', [], { category: '' }),
  change('addTorrentTags', 'beta', ['hd,late'], { tags: 'hd, late' }),
  change('removeTorrentTags', 'beta', ['hd'], { tags: 'late' }),
  change('removeTorrentTags', 'beta', [], { tags: '' }),
  { name: 'getTags', run: async ({ client }) => ((await client['getTags']!()) as string[]).sort() },
  {
    name: 'deleteTags',
    run: async ({ client }) => ({ said: await client['deleteTags']!('late,new'), now: await client['getTags']!() }),
  },
  {
    name: 'editCategory',
    run: async ({ client, target }) => {
      const said = await client['editCategory']!('films', `${target.savePath}/films`);
      return { said, now: ((await client['getCategories']!()) as Fields)['films'] };
    },
  },
  { name: 'editCategory, none', run: ({ client }) => client['editCategory']!('nowhere', '') },
  {
    name: 'removeCategory',
    run: async ({ client }) => {
      const said = await client['removeCategory']!('shows');
      return { said, now: Object.keys((await client['getCategories']!()) as Fields) };
    },
  },
];

export const LIMITS: readonly Step[] = [
  change('setTorrentDownloadLimit', 'beta', [1_024_000], { dl_limit: 1_024_000 }),
  change('setTorrentUploadLimit', 'beta', [512_000], { up_limit: 512_000 }),
  {
    name: 'getTorrentDownloadLimit, getTorrentUploadLimit',
    run: async ({ client, samples: { beta } }) => {
      const down = (await client['getTorrentDownloadLimit']!(beta.infoHash)) as Fields;
      const up = (await client['getTorrentUploadLimit']!([beta.infoHash])) as Fields;
      return [down[beta.infoHash], up[beta.infoHash]];
    },
  },
  { name: 'setTorrentDownloadLimit, none', run: ({ client }) => client['setTorrentDownloadLimit']!(NONE, 1) },
];

async function files({ client, samples: { beta } }: Side): Promise<Fields[]> {
  return (await client['torrentFiles']!(beta.infoHash)) as Fields[];
}

function priority(id: string, value: number): Step {
  return {
    name: `setFilePriority ${id} ${value}`,
    run: async (side) => {
      const said = await side.client['setFilePriority']!(side.samples.beta.infoHash, id.split('|'), value);
      const wanted = (now: Fields[]) => id.split('|').every((index) => now[Number(index)]?.['priority'] === value);
      return { said, now: (await settled(() => files(side), wanted)).map((file) => file['priority']) };
    },
  };
}

export const FILES: readonly Step[] = [
  priority('0', 0),
  priority('1|2', 7),
  priority('0', 1),
  priority('9', 1),
  priority('1', 3),
  { name: 'setFilePriority, none', run: ({ client }) => client['setFilePriority']!(NONE, '0', 1) },
  {
    name: 'renameFile',
    run: async (side) => {
      const said = await side.client['renameFile']!(side.samples.beta.infoHash, 'beta/film.bin', 'beta/movie.bin');
      const now = await settled(
        () => files(side),
        ([first]) => first?.['name'] === 'beta/movie.bin',
      );
      return { said, now: now.map(({ name }) => name) };
    },
  },
  {
    name: 'renameFolder',
    run: async (side) => {
      const said = await side.client['renameFolder']!(side.samples.beta.infoHash, 'beta/extras', 'beta/more');
      const now = await settled(
        () => files(side),
        ([, ...inFolder]) => inFolder.every(({ name }) => String(name).startsWith('beta/more/')),
      );
      return { said, now: now.map(({ name }) => name) };
    },
  },
  {
    name: 'renameFile, none of it',
    run: ({ client, samples: { beta } }) => client['renameFile']!(beta.infoHash, 'beta/none.bin', 'beta/x.bin'),
  },
  change('setTorrentName', 'beta', ['another name'], { name: 'another name' }),
  { name: 'setTorrentName, none', run: ({ client }) => client['setTorrentName']!(NONE, 'x') },
];

async function trackerUrls({ client, samples: { alpha } }: Side): Promise<unknown[]> {
  const rows = (await client['torrentTrackers']!(alpha.infoHash)) as Fields[];
  return rows.map(({ url }) => url).filter((url) => String(url).startsWith('http'));
}

function trackers(method: string, args: readonly string[]): Step {
  return {
    name: `${method} ${args.join(' ')}`,
    run: async (side) => {
      const said = await side.client[method]!(side.samples.alpha.infoHash, ...args);
      return { said, now: await trackerUrls(side) };
    },
  };
}

export const TRACKERS: readonly Step[] = [
  trackers('addTrackers', [TRACKER]),
  trackers('editTrackers', [TRACKER, `${TRACKER}3`]),
  {
    ...trackers('removeTrackers', [`${TRACKER}3`]),
    swarmd: { told: 'refused: 409', because: 'since version 5 one that is not there is refused' },
  },
  { name: 'addTrackers, none', run: ({ client }) => client['addTrackers']!(NONE, TRACKER) },
  { name: 'reannounceTorrent', run: ({ client, samples }) => client['reannounceTorrent']!(samples.alpha.infoHash) },
];

export const LIFE: readonly Step[] = [
  change('stopTorrent', 'alpha', [], { state: 'stoppedUP' }),
  change('startTorrent', 'alpha', [], { state: 'stalledUP' }),
  change('pauseTorrent', 'alpha', [], { state: 'stoppedUP' }),
  change('resumeTorrent', 'alpha', [], { state: 'stalledUP' }),
  { name: 'stopTorrent, none', run: ({ client }) => client['stopTorrent']!(NONE) },
  change('recheckTorrent', 'alpha', [], { state: 'stalledUP', progress: 1 }),
  ...['queueUp', 'queueDown', 'topPriority', 'bottomPriority'].map((method): Step => ({
    name: method,
    run: ({ client, samples }) => client[method]!(samples.beta.infoHash),
  })),
  {
    name: 'setTorrentLocation',
    run: async (side) => {
      const { infoHash } = side.samples.alpha;
      const location = `${side.target.savePath}/moved`;
      const said = await side.client['setTorrentLocation']!(infoHash, location);
      const isThere = (torrent: Fields) =>
        torrent['content_path'] === `${location}/alpha.bin` && torrent['state'] === 'stalledUP';
      return {
        said,
        now: pick(await torrentOf(side, infoHash, isThere), 'save_path', 'content_path', 'state', 'progress'),
      };
    },
  },
  {
    name: 'setTorrentLocation, empty',
    run: ({ client, samples }) => client['setTorrentLocation']!(samples.beta.infoHash, ''),
  },
  {
    name: 'stopTorrent all',
    run: async (side) => {
      const said = await side.client['stopTorrent']!('all');
      const { alpha, gamma } = side.samples;
      const now = [await torrentOf(side, alpha.infoHash, isStopped), await torrentOf(side, gamma.infoHash, isStopped)];
      return { said, now: now.map((torrent) => isStopped(torrent)) };
    },
  },
  {
    name: 'removeTorrent',
    run: async (side) => {
      const names = async () => ((await side.client['listTorrents']!()) as Fields[]).map(({ hash }) => String(hash));
      const said = [
        await side.client['removeTorrent']!(side.samples.alpha.infoHash, true),
        await side.client['removeTorrent']!([side.samples.beta.infoHash, DELTA.infoHash]),
        await side.client['removeTorrent']!(NONE),
      ];
      const left = await settled(names, (now) => now.length === 1);
      return { said, left: left.map((hash) => hash === side.samples.gamma.infoHash) };
    },
  },
  { name: 'logout', run: async ({ client }) => client['logout']!() },
];
