// docs/api.md, "Additions": a folder of a torrent as one archive that is made while it is read.
import { z } from 'zod';
import { zipQuerySchema } from '../../shared-protocol/dto/files.js';
import { refOf } from '../services/library/shares.js';
import { assertStillAllowed, FILE_ERRORS } from './files.js';
import { queryInput } from './input.js';
import { publicRoute, torrentRoute, type RouteTable } from './route.js';
import { zipReply } from './zip/zip-reply.js';

const ZIP_ERRORS = {
  ...FILE_ERRORS,
  404: 'no such folder',
  409: 'a file in it is not there and not on its way (paused, not wanted, being checked, …), or no metadata yet',
};

export const zipRoutes = {
  'GET /api/torrents/{id}/zip': torrentRoute({
    access: 'viewer',
    summary:
      'A folder of the torrent, or all of it, as a zip archive, which is made while it is read; also by HEAD. Files are ' +
      'stored as they are, so that one range of bytes may be asked for, with which a download goes on where it was. What is ' +
      'not downloaded yet is waited for; nothing is sent that is not verified',
    input: queryInput(zipQuerySchema),
    output: z.never(),
    errors: ZIP_ERRORS,
    handle: async ({ folder }, context) => {
      const { services, share, torrent, principal, request } = context;
      const files = await services.zippedFiles.inFolder(share, folder, principal.account.id);
      return zipReply(services, {
        method: request.method ?? 'GET',
        headers: request.headers,
        share,
        files,
        name: nameOf(folder, torrent.name),
        accountId: principal.account.id,
        link: null,
        assertAllowed: () => assertStillAllowed(context),
      });
    },
  }),
  'GET /api/links/{key}/zip': publicRoute({
    gate: 'public',
    summary: 'A folder of the torrent that the key opens, as GET /api/torrents/{id}/zip gives it',
    input: queryInput(zipQuerySchema),
    output: z.never(),
    errors: { ...ZIP_ERRORS, 404: 'no such link, or no such folder' },
    handle: async ({ folder }, { services, request, params }) => {
      const key = params['key'] ?? '';
      const { account, torrent, id } = services.links.open(key);
      const share = account.role === 'admin' ? { id: torrent.id } : refOf(torrent);
      const files = await services.zippedFiles.inFolder(share, folder, account.id);
      return zipReply(services, {
        method: request.method ?? 'GET',
        headers: request.headers,
        share,
        files,
        name: nameOf(folder, torrent.name),
        accountId: account.id,
        link: id,
        assertAllowed: () => void services.links.open(key),
      });
    },
  }),
} satisfies RouteTable;

function nameOf(folder: string, torrentName: string): string {
  return folder.split('/').findLast((name) => name !== '') ?? torrentName;
}
