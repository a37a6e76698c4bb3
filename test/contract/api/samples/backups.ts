// Samples of the routes of docs/api.md, "Additions", that make archives of the state.
import type { backupRoutes } from '../../../../api/routes/backups.js';
import { waitUntil } from '../../../support/peers/wait-until.js';
import { OK, type Refusal, type SampleCall, type Samples, type Scene } from '../sample.js';

const NAME = /^swarmd-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.gz$/;
const TIMEOUT_MS = 30_000;

async function written({ asAdmin }: Scene): Promise<SampleCall> {
  const { name } = await asAdmin<{ name: string }>('POST', '/api/backups');
  await waitUntil('backup written', TIMEOUT_MS, async () => {
    const { running, error } = await asAdmin<{ running: boolean; error: string | null }>('GET', '/api/backups');
    if (error !== null) throw new Error(error);
    return running ? undefined : true;
  });
  return { params: { name } };
}

const NO_SUCH: readonly Refusal[] = [
  {
    name: 'no such backup',
    call: { params: { name: 'swarmd-2020-01-01T00-00-00Z.tar.gz' } },
    status: 404,
    error: 'backup not found',
  },
  {
    name: 'no name of one',
    call: { params: { name: '..%2faccounts.json' } },
    status: 400,
    error: /^name: expected that of a backup/,
  },
];

export const backupSamples: Samples<typeof backupRoutes> = {
  'POST /api/backups': { who: 'admin', call: () => ({}), answer: { name: NAME } },
  'GET /api/backups': {
    who: 'admin',
    call: () => ({}),
    answer: { backups: Array, path: String, every_hours: 0, keep: 7 },
  },
  'GET /api/backups/{name}': { who: 'admin', call: written, answer: String, refusals: NO_SUCH },
  'DELETE /api/backups/{name}': { who: 'admin', call: written, answer: OK, refusals: NO_SUCH },
};
