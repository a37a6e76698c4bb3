// Samples of the routes of docs/api.md, "Additions": notices. What they tell is in test/contract/api/notices.test.ts.
import type { noticeRoutes } from '../../../../api/routes/notices.js';
import { parseInfoHash } from '../../../../shared-protocol/ids.js';
import type { NoticesDto } from '../../../../shared-protocol/dto/notices.js';
import { waitUntil } from '../../../support/peers/wait-until.js';
import { OK, type Samples, type Scene } from '../sample.js';

let made = 0;

/** Of a torrent that an administrator shares with the caller, and that an error stops. */
async function newNotice({ harness, callerId, asAdmin, asCaller }: Scene): Promise<string> {
  const id = parseInfoHash(`ce${String(++made).padStart(38, '0')}`);
  await asAdmin('POST', '/api/torrents/magnet', { magnet: `magnet:?xt=urn:btih:${id}` });
  if (callerId !== 1) await asAdmin('POST', `/api/torrents/${id}/shares`, { user_id: callerId, access: 'viewer' });
  harness.engine.setFacts(id, { error: { code: 'DISK_FAILED', message: 'read error' } });
  const notice = await waitUntil('the notice', 10_000, async () => {
    const { notices } = await asCaller<NoticesDto>('GET', '/api/notices');
    return notices.find(({ torrent_id }) => torrent_id === id);
  });
  await asAdmin('DELETE', `/api/torrents/${id}`);
  return String(notice.id);
}

export const noticeSamples: Samples<typeof noticeRoutes> = {
  'GET /api/notices': {
    who: 'account',
    call: () => ({}),
    answer: { unread: { completed: Number, disk_full: Number, automation: Number }, notices: Array },
  },
  'POST /api/notices/read': {
    who: 'account',
    call: () => ({ body: { up_to: 1 } }),
    answer: OK,
    refusals: [{ name: 'no number', call: { body: { up_to: 'all' } }, status: 400, error: /^up_to: / }],
  },
  'DELETE /api/notices': {
    who: 'account',
    call: () => ({ query: '?up_to=1' }),
    answer: OK,
    refusals: [{ name: 'no number', call: { query: '?up_to=all' }, status: 400, error: /^up_to: / }],
  },
  'DELETE /api/notices/{id}': {
    who: 'account',
    call: async (scene) => ({ params: { id: await newNotice(scene) } }),
    answer: OK,
    refusals: [
      { name: 'no such notice', call: { params: { id: '987654321' } }, status: 404, error: 'notice not found' },
      { name: 'no number', call: { params: { id: 'x' } }, status: 400, error: /^id: / },
    ],
  },
};
