// Samples of the routes of docs/api.md that share torrents.
import type { shareRoutes } from '../../../../api/routes/shares.js';
import { OK, type Refusal, type Samples, type Scene } from '../sample.js';

let count = 0;

/** Somebody to share with, made for this call. */
async function somebody({ asAdmin }: Scene, user: object = {}): Promise<number> {
  const body = { username: `grantee-${++count}`, password: 'correct horse', ...user };
  return (await asAdmin<{ id: number }>('POST', '/api/users', body)).id;
}

async function owner({ asAdmin, torrentId }: Scene): Promise<number> {
  const shares = await asAdmin<{ user_id: number }[]>('GET', `/api/torrents/${torrentId}/shares`);
  return shares[0]?.user_id ?? 0;
}

const UNKNOWN_TORRENT: Omit<Refusal, 'call'> = {
  name: 'an unknown torrent',
  status: 404,
  error: 'torrent not found',
};
const NOBODY = '0'.repeat(40);

export const shareSamples: Samples<typeof shareRoutes> = {
  'GET /api/torrents/{id}/shares': {
    who: { access: 'owner' },
    call: () => ({}),
    answer: [{ user_id: Number, username: String, access: 'owner' }],
    refusals: [{ ...UNKNOWN_TORRENT, call: { params: { id: NOBODY } } }],
  },
  'POST /api/torrents/{id}/shares': {
    who: { access: 'owner', permission: 'perm_share' },
    call: async (scene) => ({ body: { user_id: await somebody(scene), access: 'viewer' } }),
    answer: OK,
    refusals: [
      { ...UNKNOWN_TORRENT, call: { params: { id: NOBODY }, body: { user_id: 1, access: 'viewer' } } },
      {
        name: 'an unknown user',
        call: { body: { user_id: 999_999, access: 'viewer' } },
        status: 404,
        error: 'user not found',
      },
      {
        name: 'a disabled user',
        call: async (scene) => ({ body: { user_id: await somebody(scene, { disabled: true }), access: 'viewer' } }),
        status: 404,
        error: 'user not found',
      },
      {
        name: 'the owner',
        call: async (scene) => ({ body: { user_id: await owner(scene), access: 'editor' } }),
        status: 400,
        error: 'user_id: is the owner',
      },
      {
        name: 'ownership',
        call: async (scene) => ({ body: { user_id: await somebody(scene), access: 'owner' } }),
        status: 400,
        error: 'access: expected viewer or editor',
      },
      { name: 'nobody', call: { body: { access: 'viewer' } }, status: 400, error: 'user_id: required' },
    ],
  },
  'DELETE /api/torrents/{id}/shares/{userID}': {
    who: { access: 'owner', permission: 'perm_share' },
    call: async (scene) => {
      const userId = await somebody(scene);
      await scene.asAdmin('POST', `/api/torrents/${scene.torrentId}/shares`, { user_id: userId, access: 'editor' });
      return { params: { userID: String(userId) } };
    },
    answer: OK,
    refusals: [
      { ...UNKNOWN_TORRENT, call: { params: { id: NOBODY, userID: '2' } } },
      {
        name: 'the owner',
        call: async (scene) => ({ params: { userID: String(await owner(scene)) } }),
        status: 400,
        error: 'userID: the access of the owner cannot be taken back',
      },
      { name: 'no number', call: { params: { userID: 'bob' } }, status: 400, error: /^userID: / },
    ],
  },
  'GET /api/share_targets': {
    who: 'perm_share',
    call: async (scene) => {
      await somebody(scene);
      return {};
    },
    answer: [{ id: Number, username: String }],
  },
};
