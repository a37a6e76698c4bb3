// Samples of the routes of docs/api.md, "Additions": links to the files of a torrent.
import type { linkRoutes } from '../../../../api/routes/links.js';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import type { SampleCall, Samples, Scene } from '../sample.js';

const KEY = /^\/api\/links\/[A-Za-z0-9_-]{43}\/files$/;

/** The last one made for a sample: an account has only so many. */
const last = new WeakMap<Scene['harness'], string>();

/** A link of account 1 to the scene's torrent. */
async function newLink({ asAdmin, harness, torrentId }: Scene) {
  const links = `/api/torrents/${torrentId}/links`;
  const before = last.get(harness);
  if (before) await asAdmin('DELETE', before);
  const made = await asAdmin<{ id: number; path: string }>('POST', links, {});
  last.set(harness, `${links}/${made.id}`);
  return made;
}

async function byLink(scene: Scene, params: Readonly<Record<string, string>> = {}): Promise<SampleCall> {
  const bytes = Buffer.from('0123456789');
  scene.harness.engine.setFile(parseInfoHash(scene.torrentId), 0, { path: 'box/a.bin', bytes });
  const [, , , key = ''] = (await newLink(scene)).path.split('/');
  return { params: { key, index: '0', file: 'a.bin', ...params }, headers: { range: 'bytes=-1' } };
}

export const linkSamples: Samples<typeof linkRoutes> = {
  'GET /api/torrents/{id}/links': {
    who: { access: 'viewer' },
    call: async (scene) => {
      await newLink(scene);
      return {};
    },
    answer: [{ id: Number, user_id: 1, created_at: Number, expires_at: Number }],
  },
  'POST /api/torrents/{id}/links': {
    who: { access: 'viewer' },
    call: () => ({ body: { expires_in: 60 } }),
    answer: { id: Number, path: KEY },
    refusals: [
      { name: 'no time', call: { body: { expires_in: 0 } }, status: 400, error: /^expires_in: / },
      { name: 'for ever', call: { body: { expires_in: 1e12 } }, status: 400, error: /^expires_in: / },
      { name: 'a word', call: { body: { expires_in: 'soon' } }, status: 400, error: /^expires_in: / },
    ],
  },
  'DELETE /api/torrents/{id}/links/{linkID}': {
    who: { access: 'viewer' },
    call: async (scene) => ({ params: { linkID: String((await newLink(scene)).id) } }),
    answer: { ok: true },
  },
  'GET /api/links/{key}/files/{index}/{file}': {
    who: 'anybody',
    call: (scene) => byLink(scene),
    status: 206,
    answer: '9',
    refusals: [
      {
        name: 'no such key',
        call: (scene) => byLink(scene, { key: 'x'.repeat(43) }),
        status: 404,
        error: 'link not found',
      },
      { name: 'no such file', call: (scene) => byLink(scene, { index: '1' }), status: 404, error: 'file not found' },
    ],
  },
};
