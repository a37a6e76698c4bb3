// Samples of the routes of docs/api.md, "Accounts".
import type { accountRoutes } from '../../../../api/routes/accounts.js';
import { OK, type Refusal, type Samples, type Scene } from '../sample.js';

const NEW_PASSWORD = 'correct horse';
const KEY = /^[A-Za-z0-9_-]{43}$/;
const USER = {
  id: Number,
  username: String,
  role: /^(admin|user)$/,
  perm_add_torrents: Boolean,
  perm_manage_rss: Boolean,
  perm_manage_cat_tags: Boolean,
  perm_change_settings: Boolean,
  perm_share: Boolean,
  has_api_key: Boolean,
  api_key_hint: String,
  password_set: true,
  disabled: false,
  quota: { bytes: Number, torrents: Number, active: Number, down_kbps: Number, up_kbps: Number },
  created_at: Number,
};

let count = 0;
const newName = () => `user-${++count}`;

/** An account made for this call. */
async function newUser({ asAdmin }: Scene, user: object = {}) {
  const body = { username: newName(), password: NEW_PASSWORD, ...user };
  return asAdmin<{ id: number; username: string }>('POST', '/api/users', body);
}

const inPath = (id: number | string) => ({ params: { id: String(id) } });

function withoutUser(body?: object): Refusal[] {
  const call = (id: string) => ({ ...inPath(id), ...(body && { body }) });
  return [
    { name: 'an unknown user', call: call('999999'), status: 404, error: 'user not found' },
    { name: 'no number', call: call('admin'), status: 400, error: /^id: / },
    { name: 'number 0', call: call('0'), status: 400, error: /^id: / },
  ];
}

const TAKEN: Refusal = {
  name: 'a name that somebody has, in another case',
  call: async (scene) => {
    const { username } = await newUser(scene);
    return { body: { username: username.toUpperCase(), password: NEW_PASSWORD } };
  },
  status: 400,
  error: 'username: already taken',
};

export const accountSamples: Samples<typeof accountRoutes> = {
  'GET /api/me': { who: 'account', call: () => ({}), answer: USER },
  'GET /api/quota': {
    who: 'account',
    call: () => ({}),
    answer: { quota: { bytes: 0, torrents: 0 }, used: { bytes: Number, torrents: Number, active: Number } },
    refusals: [
      {
        name: 'no number',
        call: { query: '?account=bob' },
        status: 400,
        error: 'account: expected the id of an account',
      },
      { name: 'an unknown user', call: { query: '?account=999999' }, status: 404, error: 'user not found' },
    ],
  },
  'POST /api/me/password': {
    who: 'account',
    // Setting the same one again revokes sessions all the same, and lets what comes after sign in.
    call: ({ harness: { password } }) => ({ body: { old_password: password, new_password: password } }),
    answer: OK,
    refusals: [
      {
        name: 'the old password wrong',
        call: { body: { old_password: 'wrong', new_password: NEW_PASSWORD } },
        status: 400,
        error: 'current password is incorrect',
      },
      {
        name: 'a short password',
        call: ({ harness: { password } }) => ({ body: { old_password: password, new_password: '1234567' } }),
        status: 400,
        error: 'new_password: at least 8 characters',
      },
    ],
  },
  'POST /api/me/api_key/rotate': { who: 'account', call: () => ({}), answer: { api_key: KEY } },
  'DELETE /api/me/api_key': { who: 'account', call: () => ({}), answer: OK },
  'GET /api/users': { who: 'admin', call: () => ({}), answer: [{ id: 1, username: 'admin', role: 'admin' }] },
  'POST /api/users': {
    who: 'admin',
    call: () => ({
      body: { username: newName(), password: NEW_PASSWORD, role: 'user', perm_share: true, disabled: false },
    }),
    answer: { ...USER, role: 'user', perm_share: true, perm_add_torrents: false, has_api_key: false, api_key_hint: '' },
    refusals: [
      TAKEN,
      { name: 'no name', call: { body: { password: NEW_PASSWORD } }, status: 400, error: 'username: required' },
      { name: 'no password', call: { body: { username: 'x' } }, status: 400, error: 'password: required' },
      {
        name: 'a short password',
        call: { body: { username: 'x', password: '1234567' } },
        status: 400,
        error: 'password: at least 8 characters',
      },
      {
        name: 'a name with a colon',
        call: { body: { username: 'a:b', password: NEW_PASSWORD } },
        status: 400,
        error: /^username: expected /,
      },
      {
        name: 'a role that does not exist',
        call: { body: { username: 'x', password: NEW_PASSWORD, role: 'root' } },
        status: 400,
        error: 'role: expected admin or user',
      },
    ],
  },
  'PUT /api/users/{id}': {
    who: 'admin',
    call: async (scene) => ({
      ...inPath((await newUser(scene)).id),
      body: { username: newName(), password: 'short', perm_manage_rss: true },
    }),
    answer: { ...USER, role: 'user', perm_manage_rss: true, perm_share: false },
    refusals: [
      ...withoutUser({}),
      {
        name: 'a name that somebody has',
        call: async (scene) => ({ ...inPath((await newUser(scene)).id), body: { username: 'ADMIN' } }),
        status: 400,
        error: 'username: already taken',
      },
      {
        name: 'a flag that is no flag',
        call: async (scene) => ({ ...inPath((await newUser(scene)).id), body: { perm_share: 'yes' } }),
        status: 400,
        error: 'perm_share: expected boolean',
      },
    ],
  },
  'DELETE /api/users/{id}': {
    who: 'admin',
    call: async (scene) => inPath((await newUser(scene)).id),
    answer: OK,
    refusals: [
      ...withoutUser(),
      {
        name: 'the first account',
        call: inPath(1),
        status: 400,
        error: 'id: the first account cannot be deleted',
      },
    ],
  },
  'POST /api/users/{id}/password': {
    who: 'admin',
    call: async (scene) => ({ ...inPath((await newUser(scene)).id), body: { new_password: NEW_PASSWORD } }),
    answer: OK,
    refusals: [
      ...withoutUser({ new_password: NEW_PASSWORD }),
      {
        name: 'a short password',
        call: async (scene) => ({ ...inPath((await newUser(scene)).id), body: { new_password: '1234567' } }),
        status: 400,
        error: 'new_password: at least 8 characters',
      },
    ],
  },
  'DELETE /api/users/{id}/api_key': {
    who: 'admin',
    call: async (scene) => inPath((await newUser(scene)).id),
    answer: OK,
    refusals: withoutUser(),
  },
};
