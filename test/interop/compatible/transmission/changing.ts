// Changes that @ctrl/transmission makes to the torrents of `adding.ts`, each read back.
import { settled, type Side, type Step } from '../../../support/compatible/side-by-side.js';
import { DELTA, NONE, pick, STATUS, told, torrentOf, type Fields, type Named } from './scene.js';

/** Calls a method for a torrent, and waits until the torrent's fields are as it should make them. */
function change(method: string, torrent: Named, args: readonly unknown[], expected: Fields): Step {
  return {
    name: `${method} ${torrent} ${JSON.stringify(args)}`,
    run: async (side) => {
      const hash = side.samples[torrent].infoHash;
      const said = told(await side.client[method]!(hash, ...structuredClone(args)));
      const names = Object.keys(expected);
      const isMet = (now: Fields) => JSON.stringify(pick(now, ...names)) === JSON.stringify(expected);
      return { said, now: pick(await torrentOf(side, hash, isMet, ...names), ...names) };
    },
  };
}

function set(torrent: Named, fields: Fields, expected: Fields = fields): Step {
  return change('setTorrent', torrent, [fields], expected);
}

export const SETTING: readonly Step[] = [
  set('beta', { downloadLimit: 300, downloadLimited: true }),
  set('beta', { downloadLimited: false }),
  set('beta', { uploadLimit: 200, uploadLimited: true }),
  set('beta', { seedRatioMode: 1, seedRatioLimit: 1.5 }),
  set('beta', { seedRatioMode: 2 }),
  set('beta', { seedRatioMode: 0 }),
  set('beta', { seedIdleMode: 1, seedIdleLimit: 90 }),
  set('beta', { labels: ['hd', 'late'] }),
  set('beta', { labels: [] }),
  set('beta', { 'files-unwanted': [1] }, { wanted: [1, 0, 1] }),
  set('beta', { 'files-wanted': [] }, { wanted: [1, 1, 1] }),
  set('beta', { 'priority-high': [0] }, { priorities: [1, 0, 0] }),
  set('beta', { 'priority-normal': [] }, { priorities: [0, 0, 0] }),
  set('beta', { 'priority-low': [7] }, { priorities: [0, 0, 0] }),
  { name: 'setTorrent, none', run: async ({ client }) => told(await client['setTorrent']!(NONE, { labels: ['x'] })) },
];

async function announces(side: Side): Promise<unknown[]> {
  const torrent = await torrentOf(side, side.samples.beta.infoHash, () => true);
  return (torrent['trackers'] as readonly Fields[]).map(({ announce }) => announce);
}

function tracker(name: string, fields: (side: Side, ids: readonly number[]) => Fields): Step {
  return {
    name,
    run: async (side) => {
      const { infoHash } = side.samples.beta;
      const { trackers } = await torrentOf(side, infoHash, () => true);
      const ids = (trackers as readonly Fields[]).map(({ id }) => Number(id));
      const said = told(await side.client['setTorrent']!(infoHash, fields(side, ids)));
      return { said, now: await announces(side) };
    },
  };
}

const SECOND = 'http://127.0.0.1:9/announce/2';

export const TRACKERS: readonly Step[] = [
  tracker('setTorrent trackerAdd', () => ({ trackerAdd: [SECOND] })),
  tracker('setTorrent trackerReplace', (_side, ids) => ({ trackerReplace: [ids[1], `${SECOND}3`] })),
  tracker('setTorrent trackerRemove', (_side, ids) => ({ trackerRemove: [ids[1]] })),
  {
    name: 'setTorrent trackerAdd, what is none',
    run: async ({ client, samples }) => {
      const { result } = (await client['setTorrent']!(samples.beta.infoHash, { trackerAdd: ['nonsense'] })) as Fields;
      return result !== 'success';
    },
  },
];

export const LIFE: readonly Step[] = [
  change('pauseTorrent', 'alpha', [], { status: STATUS.stopped }),
  change('resumeTorrent', 'alpha', [], { status: STATUS.seeding }),
  change('verifyTorrent', 'alpha', [], { status: STATUS.seeding, percentDone: 1 }),
  { name: 'pauseTorrent, none', run: async ({ client }) => told(await client['pauseTorrent']!(NONE)) },
  ...['reannounceTorrent', 'queueTop', 'queueBottom', 'queueUp', 'queueDown'].map((method): Step => ({
    name: method,
    run: async (side) => told(await side.client[method]!(side.samples.alpha.infoHash)),
  })),
  {
    name: 'renamePath, the torrent',
    run: async (side) => {
      const { infoHash } = side.samples.gamma;
      const said = told(await side.client['renamePath']!(infoHash, { path: 'gamma', name: 'delta five' }));
      const now = await torrentOf(side, infoHash, ({ name }) => name === 'delta five');
      const paths = (now['files'] as readonly Fields[]).map(({ name }) => name);
      return { said: { ...said, arguments: pick(said['arguments'], 'path', 'name') }, now: now['name'], paths };
    },
  },
  {
    name: 'renamePath, a file',
    run: async (side) => {
      const { infoHash } = side.samples.beta;
      const options = { path: 'beta/extras/notes.txt', name: 'words.txt' };
      const said = told(await side.client['renamePath']!(infoHash, options));
      const paths = (now: Fields) => (now['files'] as readonly Fields[]).map(({ name }) => name);
      const now = await torrentOf(side, infoHash, (torrent) => paths(torrent)[1] === 'beta/extras/words.txt');
      return { said: said['result'], paths: paths(now) };
    },
  },
  {
    name: 'renamePath, none of it',
    run: async ({ client, samples }) =>
      ((await client['renamePath']!(samples.beta.infoHash, { path: 'beta/none', name: 'x' })) as Fields)['result'] !==
      'success',
  },
  {
    name: 'moveTorrent',
    run: async (side) => {
      const { infoHash } = side.samples.alpha;
      const location = `${side.target.savePath}/moved`;
      const said = told(await side.client['moveTorrent']!(infoHash, location));
      const isThere = ({ downloadDir, status, percentDone }: Fields) =>
        downloadDir === location && status === STATUS.seeding && percentDone === 1;
      return { said, now: pick(await torrentOf(side, infoHash, isThere), 'downloadDir', 'status', 'percentDone') };
    },
  },
  {
    name: 'moveTorrent, not absolute',
    run: async ({ client, samples }) => told(await client['moveTorrent']!(samples.beta.infoHash, 'moved')),
  },
  {
    name: 'removeTorrent',
    run: async (side) => {
      const said = [
        told(await side.client['removeTorrent']!(side.samples.alpha.infoHash, true)),
        told(await side.client['removeTorrent']!([side.samples.beta.infoHash, DELTA.infoHash])),
        told(await side.client['removeTorrent']!(NONE)),
        told(await side.client['removeTorrent']!([])),
      ];
      const hashes = async () => {
        const answer = (await side.client['listTorrents']!()) as { arguments: { torrents: Fields[] } };
        return answer.arguments.torrents.map(({ hashString }) => String(hashString));
      };
      const left = await settled(hashes, (now) => now.length === 1);
      return { said, left: left.map((hash) => hash === side.samples.gamma.infoHash) };
    },
  },
];
