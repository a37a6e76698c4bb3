// Calls of @ctrl/transmission about the program, and such as add torrents.
import { magnetOf, putFiles } from '../../../support/compatible/samples.js';
import type { Step } from '../../../support/compatible/side-by-side.js';
import { DELTA, pick, rawOf, STATUS, told, torrentOf, type Fields } from './scene.js';

const NORMALIZED = [
  ...['id', 'name', 'state', 'stateMessage', 'isCompleted', 'progress', 'ratio', 'label', 'savePath', 'totalSelected'],
  ...['totalSize', 'totalUploaded', 'totalDownloaded', 'connectedPeers', 'connectedSeeds', 'uploadSpeed'],
];

function argumentsOf(answer: unknown): Fields {
  return (answer as { readonly arguments: Fields }).arguments;
}

export const SESSION: readonly Step[] = [
  {
    name: 'getSession',
    run: async ({ client }) =>
      pick(
        argumentsOf(await client['getSession']!()),
        ...['download-dir', 'seedRatioLimited', 'idle-seeding-limit-enabled', 'start-added-torrents'],
        ...['speed-limit-down-enabled', 'speed-limit-up-enabled', 'script-torrent-done-enabled', 'encryption'],
      ),
  },
  {
    name: 'getSession, its units',
    run: async ({ client }) => {
      const { units } = argumentsOf(await client['getSession']!()) as { readonly units: Fields };
      return pick(units, 'speed-bytes', 'size-bytes', 'memory-bytes');
    },
    swarmd: {
      told: { 'speed-bytes': 1024, 'size-bytes': 1024, 'memory-bytes': 1024 },
      because: 'the limits of Swarmd are in KiB/s',
    },
  },
  {
    name: 'setSession',
    run: async ({ client }) => {
      const said = told(await client['setSession']!({ 'speed-limit-down': 500, 'speed-limit-down-enabled': true }));
      const now = argumentsOf(await client['getSession']!());
      return { said, now: pick(now, 'speed-limit-down', 'speed-limit-down-enabled') };
    },
  },
  {
    name: 'setSession, a limit taken away',
    run: async ({ client }) => {
      await client['setSession']!({ 'speed-limit-down-enabled': false });
      return pick(argumentsOf(await client['getSession']!()), 'speed-limit-down-enabled');
    },
  },
  {
    name: 'setSession, what there is not',
    run: async ({ client }) => told(await client['setSession']!({ 'no-such-key': 1 })),
  },
  {
    name: 'freeSpace',
    run: async ({ client, target }) => {
      const answer = await client['freeSpace']!(target.savePath);
      const { path, 'size-bytes': bytes } = argumentsOf(answer);
      return { said: pick(answer, 'result'), path, hasSome: Number(bytes) > 0 };
    },
  },
];

export const ADDING: readonly Step[] = [
  {
    name: 'addTorrent, whose file is there',
    run: async (side) => {
      const { alpha } = side.samples;
      await putFiles(alpha, side.target.savePath);
      const file = Buffer.from(alpha.torrentBytes).toString('base64');
      const answer = await side.client['addTorrent']!(file, { 'download-dir': side.target.savePath });
      await torrentOf(
        side,
        alpha.infoHash,
        ({ status, percentDone }) => status === STATUS.seeding && percentDone === 1,
      );
      const torrent = pick(await side.client['getTorrent']!(alpha.infoHash), ...NORMALIZED);
      return { said: pick(answer, 'result'), added: addedBy(answer), torrent };
    },
  },
  {
    name: 'addTorrent, one that is there',
    run: async ({ client, target, samples }) => {
      const options = { 'download-dir': target.savePath };
      return Object.keys(argumentsOf(await client['addTorrent']!(samples.alpha.torrentBytes, options)));
    },
  },
  {
    name: 'addTorrent, what is none',
    run: async ({ client, target }) =>
      told(await client['addTorrent']!(Buffer.from('no torrent'), { 'download-dir': target.savePath })),
  },
  {
    name: 'addTorrent, stopped',
    run: async (side) => {
      const options = { 'download-dir': side.target.savePath, paused: true };
      const answer = await side.client['addTorrent']!(side.samples.beta.torrentBytes, options);
      const { status, name } = await torrentOf(
        side,
        side.samples.beta.infoHash,
        (now) => now['status'] === STATUS.stopped,
      );
      return { added: addedBy(answer), status, name };
    },
  },
  {
    name: 'normalizedAddTorrent, stopped',
    run: async (side) => {
      const options = { startPaused: true, label: 'shows' };
      const file = Buffer.from(side.samples.gamma.torrentBytes);
      const { id, name, label } = (await side.client['normalizedAddTorrent']!(file, options)) as Fields;
      return { id, name, label };
    },
  },
  {
    name: 'addMagnet, stopped',
    run: async (side) => {
      const options = { 'download-dir': side.target.savePath, paused: true };
      const answer = await side.client['addMagnet']!(magnetOf(DELTA), options);
      const torrent = await rawOf(side, DELTA.infoHash, 'metadataPercentComplete');
      return { added: addedBy(answer), torrent: pick(torrent, 'metadataPercentComplete', 'totalSize') };
    },
  },
  {
    name: 'addUrl, what is none',
    run: async ({ client, target }) =>
      told(await client['addUrl']!('magnet:?xt=nonsense', { 'download-dir': target.savePath })),
  },
];

/** The hash and the name, and that there is a number. */
function addedBy(answer: unknown): unknown {
  const { 'torrent-added': added } = argumentsOf(answer) as { readonly 'torrent-added'?: Fields };
  return added && { ...pick(added, 'hashString', 'name'), id: typeof added['id'] };
}
