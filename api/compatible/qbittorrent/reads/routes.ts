// The routes of qBittorrent's WebAPI that look at one torrent, and at categories and tags.
import { Reply } from '../../../routes/reply.js';
import { contentDisposition } from '../../../routes/files/content-disposition.js';
import { json } from '../answers.js';
import { reading, type Answer, type Call, type RouteTable } from '../row.js';
import { files } from './files.js';
import { readingOne, type OneTorrent } from './one-torrent.js';
import { pieceHashes, pieceStates } from './pieces.js';
import { properties } from './properties.js';
import { readingLimits } from './rate-limits.js';
import { trackers, webSeeds } from './trackers.js';

/** Torrents with certificates of their own there are none of. */
const NO_CERTIFICATES = { ssl_certificate: '', ssl_private_key: '', ssl_dh_params: '' };

export const readRoutes = {
  'torrents/properties': readingOne(properties),
  'torrents/trackers': readingOne(trackers),
  'torrents/webseeds': readingOne(webSeeds),
  'torrents/files': readingOne(files),
  'torrents/pieceStates': readingOne(pieceStates),
  'torrents/pieceHashes': readingOne(pieceHashes, 'editor'),
  'torrents/export': readingOne(exported, 'editor'),
  'torrents/SSLParameters': readingOne(() => json(NO_CERTIFICATES)),
  'torrents/downloadLimit': readingLimits('downBytesPerSec'),
  'torrents/uploadLimit': readingLimits('upBytesPerSec'),
  'torrents/categories': reading(categories),
  'torrents/tags': reading(({ services, principal }) =>
    json(services.shownLabels.tags(principal.account).map(({ name }) => name)),
  ),
} as const satisfies RouteTable;

/** By name; a path is absolute, or empty for that of all torrents. */
function categories({ services, principal }: Call): Answer {
  const shown = services.shownLabels.categories(principal.account);
  return json(
    Object.fromEntries(shown.map(({ name, default_save_path }) => [name, { name, savePath: default_save_path }])),
  );
}

/** The torrent file with the trackers of the share. @throws AppError `METADATA_UNKNOWN` */
async function exported({ services, share, torrent }: OneTorrent): Promise<Answer> {
  return new Reply(await services.library.torrentFile(share), {
    'Content-Type': 'application/x-bittorrent',
    'Content-Disposition': contentDisposition('attachment', `${torrent.name}.torrent`),
    'X-Content-Type-Options': 'nosniff',
  });
}
