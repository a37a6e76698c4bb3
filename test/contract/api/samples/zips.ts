// Samples of the routes of docs/api.md, "Additions", that give folders of torrents as archives.
import type { zipRoutes } from '../../../../api/routes/zips.js';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import type { FileDetail } from '../../../../shared-protocol/commands/details.js';
import type { Refusal, SampleCall, Samples, Scene } from '../sample.js';

const BYTES = Buffer.from('0123456789');
const DETAIL: FileDetail = { index: 0, path: 'box/a.bin', sizeBytes: 10, bytesDone: 10, priority: 'normal' };

/** The file itself lies behind a header of 39 bytes. */
function withFile({ harness, torrentId }: Scene, call: SampleCall = {}, change: Partial<FileDetail> = {}): SampleCall {
  const id = parseInfoHash(torrentId);
  harness.engine.setFile(id, 0, { path: DETAIL.path, bytes: BYTES });
  harness.engine.setDetails(id, { files: [{ ...DETAIL, ...change }] });
  return { headers: { range: 'bytes=39-48' }, ...call };
}

/** The last link that was made for a sample: an account has only so many. */
const last = new WeakMap<Scene['harness'], string>();

async function byLink(scene: Scene, params: Readonly<Record<string, string>> = {}): Promise<SampleCall> {
  const { harness, torrentId, asAdmin } = scene;
  const links = `/api/torrents/${torrentId}/links`;
  const before = last.get(harness);
  if (before) await asAdmin('DELETE', before);
  const { path, id } = await asAdmin<{ path: string; id: number }>('POST', links, {});
  last.set(harness, `${links}/${id}`);
  return withFile(scene, { params: { key: path.split('/')[3] ?? '', ...params } });
}

const NO_FOLDER: Refusal = {
  name: 'no such folder',
  call: (scene) => withFile(scene, { query: 'folder=box/b' }),
  status: 404,
  error: 'folder not found',
};

export const zipSamples: Samples<typeof zipRoutes> = {
  'GET /api/torrents/{id}/zip': {
    who: { access: 'viewer' },
    call: (scene) => withFile(scene),
    status: 206,
    answer: '0123456789',
    refusals: [
      NO_FOLDER,
      {
        name: 'behind the end',
        call: (scene) => withFile(scene, { headers: { range: 'bytes=1000-' } }),
        status: 416,
        error: 'range not satisfiable',
      },
      {
        name: 'another archive than this',
        call: (scene) => withFile(scene, { headers: { 'if-match': '"other"' } }),
        status: 412,
        error: 'precondition failed',
      },
      {
        name: 'a file that will not come',
        call: (scene) => withFile(scene, {}, { priority: 'skip', bytesDone: 3 }),
        status: 409,
        error: 'file: box/a.bin is not wanted, and not all of it is there',
      },
    ],
  },
  'GET /api/links/{key}/zip': {
    who: 'anybody',
    call: (scene) => byLink(scene),
    status: 206,
    answer: '0123456789',
    refusals: [
      {
        name: 'no such key',
        call: (scene) => byLink(scene, { key: 'x'.repeat(43) }),
        status: 404,
        error: 'link not found',
      },
    ],
  },
};
