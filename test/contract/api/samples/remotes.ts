// Samples of the routes of docs/api.md, "Additions": remotes. Their host does not exist: remotes that answer are in
// test/integration/remotes/.
import type { remoteRoutes } from '../../../../api/routes/remotes.js';
import { OK, type Refusal, type Samples, type Scene } from '../sample.js';

const UNKNOWN_ID = '987654321';
const URL = 'https://remote.invalid/swarmd';
const KEY = { api_key: 'swarmd_key' };

let made = 0;

async function newRemote({ asAdmin, callerId }: Scene): Promise<{ readonly id: string; readonly name: string }> {
  // There are only so many.
  for (const { id } of await asAdmin<{ id: number }[]>('GET', '/api/remotes')) {
    await asAdmin('DELETE', `/api/remotes/${id}`);
  }
  const name = `remote ${++made}`;
  const body = { name, url: URL, ...KEY, user_ids: [callerId] };
  return { id: String((await asAdmin<{ id: number }>('POST', '/api/remotes', body)).id), name };
}

const unknown = (body?: object): Refusal => ({
  name: 'no such remote',
  call: { params: { id: UNKNOWN_ID }, ...(body ? { body } : {}) },
  status: 404,
  error: 'server not found',
});
const bad = (name: string, body: object, error: string | RegExp): Refusal => ({
  name,
  call: { body: { name: 'other', url: URL, ...KEY, ...body } },
  status: 400,
  error,
});
const badChange = (name: string, body: object, error: string | RegExp): Refusal => ({
  name,
  call: async (scene) => ({ params: { id: (await newRemote(scene)).id }, body }),
  status: 400,
  error,
});

export const remoteSamples: Samples<typeof remoteRoutes> = {
  'GET /api/remotes': {
    who: 'account',
    call: async (scene) => {
      await newRemote(scene);
      return {};
    },
    answer: [
      { id: Number, name: String, enabled: true, state: /^(?:connecting|unreachable)$/, torrents: 0, last_heard: 0 },
    ],
  },
  'POST /api/remotes': {
    who: 'admin',
    call: async (scene) => {
      await newRemote(scene);
      return { body: { name: `remote ${++made}`, url: `${URL}/`, ...KEY, tls: `pin:${'A'.repeat(64)}` } };
    },
    answer: { id: Number },
    refusals: [
      bad('no name', { name: '' }, 'name: must not be empty'),
      bad('no URL', { url: '' }, 'url: must not be empty'),
      bad('another scheme', { url: 'ftp://remote.invalid/' }, 'url: expected an http or https URL'),
      bad(
        'a password in the URL',
        { url: 'https://a:b@remote.invalid/' },
        'url: must not contain a user or a password',
      ),
      bad('a query', { url: `${URL}?a=b` }, 'url: must not contain a query or a fragment'),
      bad(
        'an address inside',
        { url: 'http://169.254.169.254/latest' },
        'url: This URL points to a private address. Allow it with --fetch-allow.',
      ),
      bad('a key of two lines', { api_key: 'a\nb: c' }, 'api_key: must not contain spaces or control characters'),
      bad('another way of TLS', { tls: 'none' }, /^tls: expected verify, or pin: /),
      bad('a certificate without TLS', { url: 'http://remote.invalid', tls: `pin:${'a'.repeat(64)}` }, /^tls: /),
      bad('an account that there is not', { user_ids: [987654321] }, 'user_ids: there is no account 987654321'),
      {
        name: 'a name that is taken',
        call: async (scene) => ({ body: { name: (await newRemote(scene)).name, url: URL, ...KEY } }),
        status: 400,
        error: 'name: another server has it',
      },
    ],
  },
  'PUT /api/remotes/{id}': {
    who: 'admin',
    call: async (scene) => ({ params: { id: (await newRemote(scene)).id }, body: { enabled: false } }),
    answer: OK,
    refusals: [
      unknown({ enabled: true }),
      badChange('a key is sent nowhere else', { url: 'https://elsewhere.invalid' }, /^api_key: required /),
      badChange('nor to another certificate', { tls: `pin:${'a'.repeat(64)}` }, /^api_key: required /),
    ],
  },
  'POST /api/remotes/{id}/test': {
    who: 'admin',
    call: async (scene) => ({ params: { id: (await newRemote(scene)).id } }),
    status: 503,
    answer: { error: /^server remote \d+: host name/, code: 'REMOTE_AWAY' },
    refusals: [unknown()],
  },
  'GET /api/servers': {
    who: 'account',
    call: async (scene) => {
      await newRemote(scene);
      return {};
    },
    answer: [
      { server_id: null, server: 'this server' },
      { server_id: Number, server: /^remote / },
    ],
    refusals: [{ name: 'no info hash', call: { query: 'infohash=x' }, status: 400, error: /^infohash: expected 40 / }],
  },
  'DELETE /api/remotes/{id}': {
    who: 'admin',
    call: async (scene) => ({ params: { id: (await newRemote(scene)).id } }),
    answer: OK,
    refusals: [unknown()],
  },
};
