// Samples of the routes of docs/api.md, "Additions", that take over torrents from other programs.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { importRoutes } from '../../../../api/routes/imports.js';
import { makeScratch } from '../../../support/peers/scratch.js';
import { OK, type Refusal, type SampleCall, type Samples, type Scene } from '../sample.js';

const bad = (body: object, error: string | RegExp): Refusal => ({
  name: JSON.stringify(body).slice(0, 60),
  call: { body },
  status: 400,
  error,
});

/** A state with one record, which is broken. */
async function stateDirectory(): Promise<string> {
  const { path } = await makeScratch('state');
  await mkdir(join(path, 'BT_backup'));
  await writeFile(join(path, 'BT_backup', `${'a'.repeat(40)}.fastresume`), 'd');
  return path;
}

async function ended({ asAdmin }: Scene): Promise<SampleCall> {
  const body = { from: 'qbittorrent', path: await stateDirectory() };
  const { id } = await asAdmin<{ id: number }>('POST', '/api/import', body);
  for (;;) {
    const { state } = await asAdmin<{ state: string }>('GET', `/api/import/${id}`);
    if (state !== 'running') return { params: { id: String(id) } };
  }
}

const NO_SUCH: readonly Refusal[] = [
  { name: 'no such import', call: { params: { id: '999999' } }, status: 404, error: 'import not found' },
  { name: 'no number', call: { params: { id: 'x' } }, status: 400, error: /^id: / },
];

export const importSamples: Samples<typeof importRoutes> = {
  'POST /api/import': {
    who: 'admin',
    call: async () => ({ body: { from: 'qbittorrent', path: await stateDirectory(), dry_run: true, settings: true } }),
    answer: { id: Number, from: 'qbittorrent', dry_run: true, state: /^(?:running|done)$/, total: 1, error: null },
    refusals: [
      bad({ from: 'qbittorrent' }, 'path: required'),
      bad({ from: 'vuze', path: '/' }, /^from: /),
      bad({ from: 'qbittorrent', path: '' }, /^path: /),
      bad({ from: 'qbittorrent', path: 'relative' }, /^path: Enter an absolute path/),
      bad({ from: 'qbittorrent', path: '/nowhere/at/all' }, /^path: \/nowhere\/at\/all is no directory/),
      bad({ from: 'qbittorrent', path: '/proc' }, /no BT_backup/),
      bad({ from: 'transmission', path: '/proc' }, /no directory of Transmission/),
      bad({ from: 'deluge', path: '/proc' }, /no state of Deluge/),
      bad({ from: 'rtorrent', path: '/proc' }, /no session of rTorrent/),
      bad({ from: 'qbittorrent', path: '/', map: [{ from: '/a' }] }, /^map/),
      bad({ from: 'qbittorrent', path: '/', settings: 'all' }, /^settings: /),
      {
        name: 'no such account',
        call: { body: { from: 'qbittorrent', path: '/proc', user_id: 999_999 } },
        status: 404,
        error: 'user not found',
      },
    ],
  },
  'GET /api/import': { who: 'admin', call: () => ({}), answer: Array },
  'GET /api/import/{id}': {
    who: 'admin',
    call: ended,
    answer: {
      state: 'done',
      total: 1,
      done: 1,
      imported: 0,
      skipped: 1,
      torrents: [{ record: `${'a'.repeat(40)}.fastresume`, result: 'skipped', reason: /^a{40}\.fastresume: / }],
    },
    refusals: [
      ...NO_SUCH,
      { name: 'a limit that is none', call: { params: { id: '1' }, query: 'limit=x' }, status: 400, error: /^limit: / },
    ],
  },
  'DELETE /api/import/{id}': { who: 'admin', call: ended, answer: OK, refusals: NO_SUCH },
};
