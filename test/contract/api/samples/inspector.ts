// Samples of the routes of docs/api.md that say which torrent is shown in detail.
import type { inspectorRoutes } from '../../../../api/routes/inspector.js';
import { OK, type Samples } from '../sample.js';

export const inspectorSamples: Samples<typeof inspectorRoutes> = {
  'POST /api/inspector/focus': {
    who: { access: 'viewer' },
    call: ({ torrentId }) => ({ body: { id: torrentId, tabs: ['files', 'speed', 'nonsense'] } }),
    answer: OK,
    refusals: [
      { name: 'an unknown torrent', call: { body: { id: 'f'.repeat(40) } }, status: 404, error: 'torrent not found' },
      { name: 'no info hash', call: { body: { id: 'nonsense' } }, status: 400, error: /^id: expected an info hash/ },
      { name: 'no id', call: { body: { tabs: [] } }, status: 400, error: 'id: required' },
      { name: 'tabs that are no list', call: { body: { id: '', tabs: 'files' } }, status: 400, error: /^tabs: / },
    ],
  },
  'POST /api/inspector/clear': { who: 'account', call: () => ({}), answer: OK },
};
