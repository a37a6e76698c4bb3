// Samples of the routes of docs/api.md, "Torrents": the list, adding, and what is done to one of them.
import type { torrentRoutes } from '../../../../api/routes/torrents.js';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import { multipart } from '../../../support/api-harness.js';
import { makeTorrent, seededBytes } from '../../../support/make-torrent.js';
import { OK, type Refusal, type SampleCall, type Samples } from '../sample.js';

const HASH = /^[0-9a-f]{40}$/;
const TRACKER = 'http://tracker.example/announce';
const UNKNOWN_TORRENT: Refusal = {
  name: 'an unknown torrent',
  call: { params: { id: '0'.repeat(40) } },
  status: 404,
  error: 'torrent not found',
};
const NO_TRACKER = { status: 400, error: /^url: / } as const;
let count = 0;

/** Of torrents that nobody has added before. */
function newMagnet(): string {
  return `magnet:?xt=urn:btih:${(++count).toString(16).padStart(40, 'c')}&dn=Sample`;
}

function newUpload(): SampleCall {
  const seed = 1_000 + ++count;
  const { torrentBytes } = makeTorrent({ name: `upload-${seed}`, pieceLength: 16_384, files: seededBytes(seed, 100) });
  return upload({ file: torrentBytes, save_path: '' });
}

function upload(parts: Parameters<typeof multipart>[0]): SampleCall {
  const { headers, body } = multipart(parts);
  return { headers: { 'content-type': String(headers?.['content-type']) }, body };
}

export const torrentSamples: Samples<typeof torrentRoutes> = {
  'GET /api/torrents': { who: 'account', call: () => ({}), answer: [{ id: HASH, access: 'owner', category_id: null }] },
  'GET /api/torrents/overlaps': { who: 'admin', call: () => ({}), answer: [] },
  'POST /api/torrents/magnet': {
    who: 'perm_add_torrents',
    call: () => ({ body: { magnet: newMagnet(), save_path: null } }),
    answer: { id: HASH },
    refusals: [
      { name: 'no magnet', call: { body: { magnet: 'http://a/b' } }, status: 400, error: /^magnet: / },
      { name: 'an empty magnet', call: { body: { magnet: '' } }, status: 400, error: /^magnet: / },
      { name: 'nothing', call: { body: {} }, status: 400, error: 'magnet: required' },
      { name: 'a long one', call: { body: { magnet: 'm'.repeat(65_537) } }, status: 400, error: /^magnet: / },
      {
        name: 'a NUL in the path',
        call: () => ({ body: { magnet: newMagnet(), save_path: 'a\0b' } }),
        status: 400,
        error: /^save_path: contains a NUL/,
      },
      {
        name: 'an unknown category',
        call: () => ({ body: { magnet: newMagnet(), category_id: 999_999 } }),
        status: 404,
        error: 'category not found',
      },
      {
        name: 'a category by name',
        call: () => ({ body: { magnet: newMagnet(), category_id: 'films' } }),
        status: 400,
        error: /^category_id: /,
      },
      {
        name: 'paused by a word',
        call: () => ({ body: { magnet: newMagnet(), paused: 'yes' } }),
        status: 400,
        error: /^paused: /,
      },
      {
        name: 'a long path',
        call: () => ({ body: { magnet: newMagnet(), save_path: `/${'p'.repeat(4096)}` } }),
        status: 400,
        error: /^save_path: /,
      },
    ],
  },
  'POST /api/torrents/file': {
    who: 'perm_add_torrents',
    call: newUpload,
    answer: { id: HASH },
    refusals: [
      { name: 'no torrent', call: upload({ file: Buffer.from('nonsense') }), status: 400, error: /^torrent: / },
      { name: 'no file', call: upload({ save_path: '' }), status: 400, error: /^file: / },
      { name: 'no parts', call: { body: { file: 'x' } }, status: 400, error: /./ },
      {
        name: 'an unknown category',
        call: upload({ file: Buffer.from('de'), category_id: '999999' }),
        status: 404,
        error: 'category not found',
      },
      {
        name: 'a category by name',
        call: upload({ file: Buffer.from('de'), category_id: 'films' }),
        status: 400,
        error: /^category_id: /,
      },
      {
        name: 'paused by a word',
        call: upload({ file: Buffer.from('de'), paused: 'yes' }),
        status: 400,
        error: /^paused: /,
      },
    ],
  },
  'POST /api/torrents/url': {
    who: 'perm_add_torrents',
    call: () => ({ body: { url: newMagnet() } }),
    answer: OK,
    refusals: [
      { name: 'a private address', call: { body: { url: 'http://10.0.0.1/a.torrent' } }, status: 400, error: /^url: / },
      { name: 'another scheme', call: { body: { url: 'file:///etc/passwd' } }, status: 400, error: /^url: / },
      { name: 'a bad magnet', call: { body: { url: 'magnet:?xt=urn:btih:0' } }, status: 400, error: /^magnet: / },
      { name: 'nothing', call: { body: { save_path: '' } }, status: 400, error: 'url: required' },
      {
        name: 'an unknown category',
        call: { body: { url: 'http://10.0.0.1/a.torrent', category_id: 999_999 } },
        status: 404,
        error: 'category not found',
      },
    ],
  },
  'POST /api/torrents/{id}/pause': {
    who: { access: 'editor' },
    call: () => ({}),
    answer: OK,
    refusals: [UNKNOWN_TORRENT],
  },
  'POST /api/torrents/{id}/resume': {
    who: { access: 'editor' },
    call: () => ({}),
    answer: OK,
    refusals: [UNKNOWN_TORRENT],
  },
  'POST /api/torrents/{id}/recheck': {
    who: { access: 'editor' },
    call: () => ({}),
    answer: OK,
    refusals: [UNKNOWN_TORRENT],
  },
  'GET /api/torrents/{id}/file': {
    who: { access: 'editor' },
    call: () => ({}),
    answer: /^d/,
    refusals: [
      UNKNOWN_TORRENT,
      {
        name: 'a magnet without metadata',
        call: async ({ asAdmin }) => {
          const { id } = await asAdmin<{ id: string }>('POST', '/api/torrents/magnet', { magnet: newMagnet() });
          return { params: { id } };
        },
        status: 409,
        error: /metadata/,
      },
    ],
  },
  'GET /api/torrents/{id}/rates': {
    who: { access: 'viewer' },
    call: () => ({}),
    answer: { step: 5, from: Number, down: Array, up: Array },
  },
  'GET /api/torrents/{id}/diagnosis': {
    who: { access: 'viewer' },
    call: ({ harness, torrentId }) => {
      const data = { path: 'box/a', errno: 'EROFS' };
      const error = { code: 'DISK_FAILED', message: 'box/a: EROFS: read-only file system', data } as const;
      harness.engine.setFacts(parseInfoHash(torrentId), { error });
      return {};
    },
    answer: { error: 'box/a: EROFS: read-only file system', code: 'DISK_FAILED', disk_state: 'read-only' },
    refusals: [UNKNOWN_TORRENT],
  },
  'GET /api/torrents/{id}/details': {
    who: { access: 'viewer' },
    call: ({ harness, torrentId }) => {
      const file = { index: 0, path: 'box/a', sizeBytes: 4, bytesDone: 1, priority: 'high' } as const;
      harness.engine.setDetails(parseInfoHash(torrentId), { files: [file] });
      return { query: 'tabs=files,nonsense' };
    },
    answer: { id: HASH, paused: false, files: [{ index: 0, path: 'box/a', size: 4, bytes_done: 1, priority: 'high' }] },
    refusals: [
      UNKNOWN_TORRENT,
      { name: 'tabs twice', call: { query: 'tabs=files&tabs=peers' }, status: 400, error: /^tabs: / },
    ],
  },
  'GET /api/torrents/{id}/pieces': {
    who: { access: 'viewer' },
    call: ({ harness, torrentId }) => {
      const have = Uint8Array.of(0b1010_0000, 0b1000_0000);
      const pieces = { pieceCount: 9, pieceLength: 16_384, have, availability: Uint8Array.from('123456789') };
      harness.engine.setDetails(parseInfoHash(torrentId), { pieces });
      return {};
    },
    answer: { piece_count: 9, piece_length: 16_384, have: 'oIA=', availability: 'AQIDBAUGBwgJ' },
    refusals: [UNKNOWN_TORRENT],
  },
  'DELETE /api/torrents/{id}': {
    who: { access: 'owner' },
    call: () => ({ query: 'delete=1' }),
    answer: OK,
    refusals: [
      UNKNOWN_TORRENT,
      { name: 'two answers', call: { query: 'delete=1&delete=2' }, status: 400, error: /^delete: / },
    ],
  },
  'POST /api/torrents/{id}/peers': {
    who: { access: 'editor' },
    call: () => ({ body: { peers: ['127.0.0.1:6881'] } }),
    answer: { ok: true, added: 1 },
    refusals: [
      { name: 'no address', call: { body: { peers: ['nonsense'] } }, status: 400, error: /^peers: expected host:port/ },
      { name: 'no list', call: { body: { peers: '127.0.0.1:1' } }, status: 400, error: 'peers: expected array' },
      {
        name: 'too many',
        call: { body: { peers: Array.from({ length: 1_001 }, () => '127.0.0.1:1') } },
        status: 400,
        error: /^peers: /,
      },
    ],
  },
  'POST /api/torrents/{id}/trackers': {
    who: { access: 'editor' },
    call: () => ({ body: { url: TRACKER } }),
    answer: OK,
    refusals: [
      { name: 'no tracker', call: { body: { url: 'ftp://x/' } }, ...NO_TRACKER },
      { name: 'a long one', call: { body: { url: `http://x/${'a'.repeat(2_048)}` } }, ...NO_TRACKER },
      { name: 'nothing', call: { body: {} }, status: 400, error: 'url: required' },
    ],
  },
  'DELETE /api/torrents/{id}/trackers': {
    who: { access: 'editor' },
    call: () => ({ body: { url: TRACKER } }),
    answer: OK,
    refusals: [{ name: 'nothing', call: { body: {} }, status: 400, error: 'url: required' }],
  },
};
