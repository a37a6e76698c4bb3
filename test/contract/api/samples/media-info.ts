// Samples of the route of docs/api.md, "Additions", that tells what is in media files.
import type { mediaInfoRoutes } from '../../../../api/routes/media-info.js';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import { makeWav } from '../../../support/media.js';
import type { FileInMemory } from '../../../support/memory-engine.js';
import type { SampleCall, Samples, Scene } from '../sample.js';

const FILE: FileInMemory = { path: 'box/a.wav', bytes: makeWav() };

function withFile({ harness, torrentId }: Scene, index = 0, file = FILE): SampleCall {
  harness.engine.setFile(parseInfoHash(torrentId), index, file);
  return { params: { index: String(index) } };
}

export const mediaInfoSamples: Samples<typeof mediaInfoRoutes> = {
  'GET /api/torrents/{id}/files/{index}/media_info': {
    who: { access: 'viewer' },
    call: (scene) => withFile(scene),
    answer: { text: /^General\nComplete name +: a\.wav\nFormat +: Wave\n/ },
    refusals: [
      {
        name: 'no such file',
        call: (scene) => ({ ...withFile(scene), params: { index: '9' } }),
        status: 404,
        error: 'file not found',
      },
      {
        name: 'a file that is not all there',
        call: (scene) => withFile(scene, 1, { ...FILE, isPartial: true }),
        status: 409,
        error: 'file: not all of it is downloaded yet',
      },
      {
        name: 'an empty one',
        call: (scene) => withFile(scene, 2, { path: 'box/b.mkv', bytes: Buffer.alloc(0) }),
        status: 400,
        error: /^file: MediaInfo cannot read it/,
      },
    ],
  },
};
