// Samples of the routes of docs/api.md, "Additions", that make torrents of files of the server.
import type { creationRoutes } from '../../../../api/routes/creations.js';
import { AppError } from '../../../../shared-protocol/errors.js';
import { OK, type Refusal, type SampleCall, type Samples, type Scene } from '../sample.js';

const bad = (body: object, error: string | RegExp): Refusal => ({
  name: JSON.stringify(body).slice(0, 40),
  call: { body },
  status: 400,
  error,
});

/** Of the account that calls; of account 1 where it may make none. */
async function made({ harness, asCaller, asAdmin }: Scene, isDone = true): Promise<SampleCall> {
  harness.engine.creationsHeldBy = isDone ? null : new Promise(() => undefined);
  const ask = (as: Scene['asAdmin']) => as<{ id: number }>('POST', '/api/create', { path: 'made' });
  const { id } = await ask(asCaller).catch(() => ask(asAdmin));
  harness.engine.creationsHeldBy = null;
  for (let isOver = !isDone; !isOver;) {
    isOver = (await asAdmin<{ expires_at: number }>('GET', `/api/create/${id}`)).expires_at > 0;
  }
  return { params: { id: String(id) } };
}

export const creationSamples: Samples<typeof creationRoutes> = {
  'POST /api/create': {
    who: 'perm_add_torrents',
    call: () => ({ body: { path: 'made', piece_length: 65_536, trackers: [['http://a/announce']], private: true } }),
    answer: { id: Number, user_id: Number, path: /\/made$/, state: 'waiting', created_at: Number, expires_at: 0 },
    refusals: [
      bad({}, 'path: required'),
      bad({ path: '' }, /^path: /),
      bad({ path: 7 }, 'path: expected string'),
      bad({ path: 'a\0b' }, 'path: contains a NUL character'),
      bad({ path: 'a', piece_length: 20_000 }, 'piece_length: expected a power of two'),
      bad({ path: 'a', piece_length: 1_024 }, /^piece_length: /),
      bad({ path: 'a', piece_length: 2 ** 30 }, /^piece_length: /),
      bad({ path: 'a', trackers: ['http://a/'] }, /^trackers/),
      bad({ path: 'a', web_seeds: 'http://a/' }, /^web_seeds/),
      bad({ path: 'a', source: 'a\nb' }, 'source: must not contain control characters'),
      bad({ path: 'a', private: 'yes' }, 'private: expected boolean'),
      bad({ path: 'a', comment: 'c'.repeat(5_000) }, /^comment: /),
      {
        name: 'what is not the account’s',
        call: ({ harness }) => {
          harness.engine.refuseNextCreation = new AppError(
            'CREATE_NOT_ALLOWED',
            'path: not in the home of the account',
          );
          return { body: { path: 'made' } };
        },
        status: 403,
        error: 'path: not in the home of the account',
      },
    ],
  },
  'GET /api/create': {
    who: 'perm_add_torrents',
    call: () => ({}),
    answer: Array,
  },
  'GET /api/create/{id}': {
    who: 'perm_add_torrents',
    call: (scene) => made(scene),
    answer: {
      id: Number,
      user_id: Number,
      state: 'done',
      bytes_total: 3,
      infohash: /^[0-9a-f]{40}$/,
      error: null,
      code: null,
    },
    refusals: [
      { name: 'no such creation', call: { params: { id: '999999' } }, status: 404, error: 'creation not found' },
      { name: 'no number', call: { params: { id: 'x' } }, status: 400, error: /^id: / },
    ],
  },
  'GET /api/create/{id}/file': {
    who: 'perm_add_torrents',
    call: (scene) => made(scene),
    answer: /^d4:info/,
    refusals: [
      {
        name: 'not done',
        call: (scene) => made(scene, false),
        status: 409,
        error: 'creation: there is no torrent file, or not yet',
      },
      { name: 'no such creation', call: { params: { id: '999999' } }, status: 404, error: 'creation not found' },
    ],
  },
  'DELETE /api/create/{id}': {
    who: 'perm_add_torrents',
    call: (scene) => made(scene),
    answer: OK,
    refusals: [
      { name: 'no such creation', call: { params: { id: '999999' } }, status: 404, error: 'creation not found' },
    ],
  },
};
