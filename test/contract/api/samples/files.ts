// Samples of the routes of docs/api.md, "Additions", that give files of torrents.
import type { fileRoutes } from '../../../../api/routes/files.js';
import { AppError } from '../../../../shared-protocol/errors.js';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import type { FileInMemory } from '../../../support/memory-engine.js';
import type { SampleCall, Samples, Scene } from '../sample.js';

const FILE: FileInMemory = { path: 'box/a.bin', bytes: Buffer.from('0123456789') };

function withFile({ harness, torrentId }: Scene, call: SampleCall = {}, file = FILE): SampleCall {
  harness.engine.setFile(parseInfoHash(torrentId), 0, file);
  return { params: { index: '0' }, ...call };
}

export const fileSamples: Samples<typeof fileRoutes> = {
  'GET /api/torrents/{id}/files/{index}': {
    who: { access: 'viewer' },
    call: (scene) => withFile(scene, { headers: { range: 'bytes=2-4' } }),
    status: 206,
    answer: '234',
    refusals: [
      {
        name: 'no such file',
        call: (scene) => withFile(scene, { params: { index: '1' } }),
        status: 404,
        error: 'file not found',
      },
      {
        name: 'behind the end',
        call: (scene) => withFile(scene, { headers: { range: 'bytes=10-' } }),
        status: 416,
        error: 'range not satisfiable',
      },
      {
        name: 'another file than this',
        call: (scene) => withFile(scene, { headers: { 'if-match': '"other"' } }),
        status: 412,
        error: 'precondition failed',
      },
      {
        name: 'bytes that do not come',
        call: (scene) =>
          withFile(scene, {}, { ...FILE, refusal: new AppError('FILE_UNAVAILABLE', 'file: not on its way') }),
        status: 409,
        error: 'file: not on its way',
      },
    ],
  },
};
