// Samples of the routes that look at torrent files before they are added. Nothing can be fetched here: what a URL leads to
// is tried in `contract/api/inspections.test.ts`.
import type { inspectionRoutes } from '../../../../api/routes/inspections.js';
import { multipart } from '../../../support/api-harness.js';
import { makeTorrent, seededBytes } from '../../../support/make-torrent.js';
import type { SampleCall, Samples } from '../sample.js';

const MADE = makeTorrent({ name: 'looked-at', pieceLength: 16_384, files: seededBytes(1, 20_000) });
const MAGNET = `magnet:?xt=urn:btih:${'e'.repeat(40)}`;

function upload(parts: Parameters<typeof multipart>[0]): SampleCall {
  const { headers, body } = multipart(parts);
  return { headers: { 'content-type': String(headers?.['content-type']) }, body };
}

export const inspectionSamples: Samples<typeof inspectionRoutes> = {
  'POST /api/torrents/inspect': {
    who: 'perm_add_torrents',
    call: () => upload({ file: MADE.torrentBytes }),
    answer: {
      id: MADE.infoHash,
      name: 'looked-at',
      total_bytes: 20_000,
      piece_length: 16_384,
      piece_count: 2,
      private: false,
      file_count: 1,
      files: [{ index: 0, path: 'looked-at', size: 20_000 }],
      trackers: [],
    },
    refusals: [
      { name: 'no torrent', call: upload({ file: Buffer.from('nonsense') }), status: 400, error: /^torrent: / },
      { name: 'no file', call: upload({ save_path: '' }), status: 400, error: /^file: / },
    ],
  },
  'POST /api/torrents/inspect_url': {
    who: 'perm_add_torrents',
    call: () => ({ body: { url: MAGNET } }),
    status: 400,
    answer: { error: /^url: what is in a magnet is not known before it is added/ },
    refusals: [
      { name: 'a private address', call: { body: { url: 'http://10.0.0.1/a.torrent' } }, status: 400, error: /^url: / },
      { name: 'another scheme', call: { body: { url: 'file:///etc/passwd' } }, status: 400, error: /^url: / },
      { name: 'nothing', call: { body: {} }, status: 400, error: 'url: required' },
    ],
  },
};
