// Calls of @ctrl/qbittorrent that add torrents, and the categories and tags they are put into.
import { magnetOf, putFiles } from '../../../support/compatible/samples.js';
import type { Client } from '../../../support/compatible/clients.js';
import type { Step } from '../../../support/compatible/side-by-side.js';
import { DELTA, isSeeding, isStopped, pick, rawOf, torrentOf } from './scene.js';

const NORMALIZED = [
  ...['id', 'name', 'state', 'stateMessage', 'eta', 'isCompleted', 'progress', 'label', 'tags', 'savePath'],
  ...['totalSelected', 'totalSize', 'totalUploaded', 'ratio', 'connectedPeers', 'connectedSeeds'],
];

export const ADDING: readonly Step[] = [
  {
    name: 'createCategory',
    run: async ({ client }) => {
      const said = await client['createCategory']!('films');
      return { said, now: await client['getCategories']!() };
    },
  },
  { name: 'createCategory, one that is there', run: ({ client }) => client['createCategory']!('films') },
  {
    name: 'createTags',
    run: async ({ client }) => ({ said: await client['createTags']!('hd,new'), now: await tagsOf(client) }),
  },
  {
    name: 'addTorrent, whose file is there',
    run: async (side) => {
      await putFiles(side.samples.alpha, side.target.savePath);
      const said = await side.client['addTorrent']!(side.samples.alpha.torrentBytes, { category: 'films' });
      await torrentOf(side, side.samples.alpha.infoHash, isSeeding);
      return { said, torrent: pick(await side.client['getTorrent']!(side.samples.alpha.infoHash), ...NORMALIZED) };
    },
  },
  {
    name: 'addTorrent, one that is there',
    run: ({ client, samples }) => client['addTorrent']!(samples.alpha.torrentBytes),
  },
  { name: 'addTorrent, what is none', run: ({ client }) => client['addTorrent']!(Buffer.from('no torrent at all')) },
  {
    name: 'normalizedAddTorrent, stopped',
    run: async (side) => {
      const options = { startPaused: true, label: 'shows' };
      const file = Uint8Array.from(side.samples.beta.torrentBytes);
      // It looks for the torrent at once, which the real program may not have yet.
      await side.client['normalizedAddTorrent']!(file, options).catch(() => undefined);
      return pick(await torrentOf(side, side.samples.beta.infoHash, isStopped), 'hash', 'name', 'category', 'state');
    },
  },
  {
    name: 'a category that came with a torrent',
    run: async (side) => {
      await torrentOf(side, side.samples.beta.infoHash, isStopped);
      return {
        all: await side.client['getCategories']!(),
        of: pick(await rawOf(side, side.samples.beta.infoHash), 'category'),
      };
    },
  },
  {
    name: 'addTorrent into a folder of its own, stopped',
    run: async (side) => {
      const savepath = `${side.target.savePath}/elsewhere`;
      await putFiles(side.samples.gamma, savepath);
      await side.client['addTorrent']!(side.samples.gamma.torrentBytes, { savepath, paused: 'true' });
      return pick(
        await torrentOf(side, side.samples.gamma.infoHash, isStopped),
        'save_path',
        'name',
        'total_size',
        'category',
        'tags',
      );
    },
  },
  {
    name: 'addMagnet, stopped',
    run: async (side) => {
      const said = await side.client['addMagnet']!(magnetOf(DELTA), { paused: 'true' });
      return { said, torrent: pick(await torrentOf(side, DELTA.infoHash, isStopped), 'name', 'hash', 'progress') };
    },
  },
  { name: 'addMagnet, what is none', run: ({ client }) => client['addMagnet']!('magnet:?xt=nonsense') },
];

/** In no order of their own. */
async function tagsOf(client: Client): Promise<string[]> {
  return ((await client['getTags']!()) as string[]).sort();
}
