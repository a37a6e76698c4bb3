// Samples of the routes of docs/api.md, "Additions", that take over torrents from other programs.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { importRoutes } from '../../../../api/routes/imports.js';
import { makeScratch } from '../../../support/peers/scratch.js';
import { tarBlocks, TAR_END } from '../../../support/tar-blocks.js';
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

/** An archive of a state with one record, which is broken. */
const ARCHIVE = Buffer.concat([
  tarBlocks({ path: 'qBittorrent/BT_backup/', type: 'Directory' }),
  tarBlocks({ path: `qBittorrent/BT_backup/${'a'.repeat(40)}.fastresume` }, 'd'),
  TAR_END,
]);

/** Only administrators have any. */
async function sent({ asAdmin, asCaller }: Scene): Promise<number> {
  const send = (as: Scene['asAdmin']) => as<{ id: number }>('POST', '/api/import_archives', ARCHIVE);
  const { id } = await send(asCaller).catch(() => send(asAdmin));
  return id;
}

/** The first part of one. */
async function begun({ asAdmin }: Scene): Promise<number> {
  const path = `/api/import_archives?size=${ARCHIVE.length}`;
  return (await asAdmin<{ id: number }>('POST', path, ARCHIVE.subarray(0, 512))).id;
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
      bad({ from: 'qbittorrent', path: '/', archive: 1 }, 'path: not both a path and an archive'),
      bad({ from: 'qbittorrent', path: '/', map: [{ from: '/a' }] }, /^map/),
      bad({ from: 'qbittorrent', path: '/', settings: 'all' }, /^settings: /),
      {
        name: 'no such archive',
        call: { body: { from: 'qbittorrent', archive: 999_999 } },
        status: 404,
        error: 'archive not found',
      },
      {
        name: 'an archive of another program',
        call: async (scene) => ({ body: { from: 'deluge', archive: await sent(scene) } }),
        status: 400,
        error: /^archive: there is no state of Deluge/,
      },
      {
        name: 'an archive that is not whole',
        call: async (scene) => ({ body: { from: 'qbittorrent', archive: await begun(scene) } }),
        status: 409,
        error: 'archive: not all of it is here yet',
      },
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
  'POST /api/import_archives': {
    who: 'admin',
    call: () => ({ body: ARCHIVE, headers: { 'content-type': 'application/octet-stream' } }),
    answer: { id: Number, state: 'ready', received_bytes: ARCHIVE.length, entries: 2, unpacked_bytes: 1 },
    refusals: [
      { name: 'no archive', call: { body: 'text' }, status: 400, error: /^archive: is neither/ },
      { name: 'nothing', call: { body: '' }, status: 400, error: /^archive: is neither/ },
      { name: 'no end', call: { body: ARCHIVE.subarray(0, 1_100) }, status: 400, error: /^archive: cannot be read/ },
      { name: 'not a size', call: { query: 'size=x', body: ARCHIVE }, status: 400, error: /^size: / },
      { name: 'another id', call: { query: 'id=9999', body: ARCHIVE }, status: 404, error: 'archive not found' },
      { name: 'from nowhere', call: { query: 'offset=5', body: ARCHIVE }, status: 409, error: 'offset: expected 0' },
      {
        name: 'larger than 2 GiB',
        call: { query: `size=${2 ** 31 + 1}`, body: ARCHIVE },
        status: 400,
        error: 'archive: is larger than 2147483648 bytes',
      },
      {
        name: 'more than its size',
        call: { query: 'size=512', body: ARCHIVE },
        status: 400,
        error: 'archive: more bytes than the 512 of its size',
      },
      {
        name: 'a part that is not the next one',
        call: async (scene) => ({ query: `id=${await begun(scene)}&offset=5`, body: ARCHIVE.subarray(5) }),
        status: 409,
        error: 'offset: expected 512',
      },
    ],
  },
  'DELETE /api/import_archives/{id}': {
    who: 'admin',
    call: async (scene) => ({ params: { id: String(await sent(scene)) } }),
    answer: OK,
    refusals: [
      { name: 'no such archive', call: { params: { id: '999999' } }, status: 404, error: 'archive not found' },
    ],
  },
};
