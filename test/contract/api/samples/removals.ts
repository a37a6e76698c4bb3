// Samples of the routes of docs/api.md, "Additions": removals that can be undone. What becomes of them is in
// test/contract/api/removals.test.ts.
import type { removalRoutes } from '../../../../api/routes/removals.js';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import { OK, type Samples, type Scene } from '../sample.js';

const NONE = '0'.repeat(40);
let made = 0;

/** Removes a torrent of the account that calls; one that may not add is an administrator's guest and has none. */
async function newRemoval({ harness, callerId, asAdmin, asCaller }: Scene): Promise<string> {
  const id = parseInfoHash(`de${String(++made).padStart(38, '0')}`);
  await asAdmin('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${id}` });
  harness.engine.setFacts(id, { ownerId: callerId as never });
  const removal = await asCaller<{ id: number }>('POST', '/api/removals', { ids: [id], grace_seconds: 60 });
  return String(removal.id);
}

export const removalSamples: Samples<typeof removalRoutes> = {
  'GET /api/removals': { who: 'account', call: () => ({}), answer: Array },
  'POST /api/removals': {
    who: 'account',
    call: () => ({ body: { ids: [NONE], grace_seconds: 5 } }),
    answer: { id: null, outcomes: [{ id: NONE, ok: false }] },
    refusals: [
      { name: 'no torrents', call: { body: { ids: [], grace_seconds: 5 } }, status: 400, error: /^ids: / },
      { name: 'no time', call: { body: { ids: [NONE], grace_seconds: 0 } }, status: 400, error: /^grace_seconds: / },
      { name: 'an hour', call: { body: { ids: [NONE], grace_seconds: 3600 } }, status: 400, error: /^grace_seconds: / },
    ],
  },
  'DELETE /api/removals/{id}': {
    who: 'account',
    call: async (scene) => ({ params: { id: await newRemoval(scene) } }),
    answer: OK,
    refusals: [
      { name: 'no such removal', call: { params: { id: '987654321' } }, status: 404, error: 'removal not found' },
      { name: 'no number', call: { params: { id: 'x' } }, status: 400, error: /^id: / },
    ],
  },
};
