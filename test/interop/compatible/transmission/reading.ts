// Calls of @ctrl/transmission that change nothing, about the torrents of `adding.ts`.
import type { Step } from '../../../support/compatible/side-by-side.js';
import { NONE, pick, rawOf, torrentOf, type Fields } from './scene.js';

type Rows = readonly Fields[];

/** Of a torrent that has everything: the same in any program. */
const COMPLETE = [
  ...['hashString', 'name', 'totalSize', 'sizeWhenDone', 'leftUntilDone', 'percentDone', 'haveValid', 'haveUnchecked'],
  ...['metadataPercentComplete', 'error', 'errorString', 'isFinished', 'isStalled', 'isPrivate', 'status', 'eta'],
  ...['downloadDir', 'files', 'priorities', 'wanted', 'peers', 'peersConnected', 'webseeds', 'corruptEver'],
  ...['recheckProgress', 'rateUpload', 'rateDownload', 'labels', 'comment', 'creator'],
];

export const READING: readonly Step[] = [
  {
    name: 'listTorrents',
    run: async ({ client }) => {
      const { arguments: listed } = (await client['listTorrents']!()) as { readonly arguments: { torrents: Rows } };
      return listed.torrents.map(({ name }) => String(name)).sort();
    },
  },
  {
    name: 'listTorrents, one that is complete',
    run: async (side) => pick(await rawOf(side, side.samples.alpha.infoHash), ...COMPLETE),
  },
  {
    name: 'listTorrents, one of which nothing is there',
    run: async (side) =>
      pick(
        await rawOf(side, side.samples.beta.infoHash, 'fileStats'),
        ...['totalSize', 'sizeWhenDone', 'leftUntilDone', 'percentDone', 'files', 'fileStats', 'priorities', 'wanted'],
        ...[
          'haveValid',
          'desiredAvailable',
          'eta',
          'etaIdle',
          'error',
          'isFinished',
          'seedRatioMode',
          'downloadLimited',
        ],
      ),
  },
  {
    name: 'listTorrents, its trackers',
    run: async (side) => {
      const isHeard = ({ trackerStats }: Fields) => (trackerStats as Rows)[0]?.['lastAnnounceSucceeded'] === true;
      const torrent = await torrentOf(side, side.samples.alpha.infoHash, isHeard, 'trackerStats');
      const stats = (torrent['trackerStats'] as Rows).map((row) =>
        // `host` had the scheme in it up to 3.00.
        pick(row, 'announce', 'tier', 'hasAnnounced', 'lastAnnounceSucceeded', 'seederCount', 'isBackup'),
      );
      const trackers = (torrent['trackers'] as Rows).map((row) => pick(row, 'announce', 'tier'));
      return { trackers, stats };
    },
  },
  {
    name: 'listTorrents, none',
    run: async ({ client }) => (await client['listTorrents']!(NONE)) as Fields,
  },
  {
    name: 'getAllData',
    run: async ({ client }) => {
      const { torrents, labels } = (await client['getAllData']!()) as { torrents: Rows; labels: Rows };
      return { torrents: torrents.length, labels };
    },
  },
  { name: 'getTorrent, none', run: ({ client }) => client['getTorrent']!(NONE) },
];
