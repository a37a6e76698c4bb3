// docs/api.md, "Additions": links by which players read the files of a torrent, which know neither cookies nor keys.
import { z } from 'zod';
import { okSchema } from '../../shared-protocol/dto/fields.js';
import { linkListSchema, madeLinkSchema, newLinkSchema } from '../../shared-protocol/dto/links.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import type { Principal } from '../auth/authenticate.js';
import { refOf } from '../services/library/shares.js';
import { fileIndexIn, FILE_ERRORS } from './files.js';
import { fileReply } from './files/file-reply.js';
import { jsonInput, noInput } from './input.js';
import { numberInPath, publicRoute, torrentRoute, type RouteTable } from './route.js';

export const linkRoutes = {
  'GET /api/torrents/{id}/links': torrentRoute({
    access: 'viewer',
    summary:
      'Links to the files of the torrent that have not expired, without their keys: of the caller, or of all for ' +
      'administrators',
    input: noInput,
    output: linkListSchema,
    handle: (_input, { services, principal, torrent }) => services.links.list(torrent.id, whose(principal)),
  }),
  'POST /api/torrents/{id}/links': torrentRoute({
    access: 'viewer',
    summary:
      'Makes a link with which anybody may read the files of this torrent, and nothing else, for as long as the caller may ' +
      'see it; for a day unless told otherwise. Its key is shown this once',
    input: jsonInput(newLinkSchema),
    output: madeLinkSchema,
    handle: async ({ expires_in: expiresIn }, { services, principal, torrent }) => {
      const { key, ...link } = await services.links.create(principal.account.id, torrent.id, expiresIn);
      return { ...link, path: `/api/links/${key}/files` };
    },
  }),
  'DELETE /api/torrents/{id}/links/{linkID}': torrentRoute({
    access: 'viewer',
    summary: 'Ends a link of the caller, or of anybody for administrators; no error when there is none',
    input: noInput,
    output: okSchema,
    handle: (_input, context) => {
      const { services, principal, torrent } = context;
      return services.links.revoke(numberInPath(context, 'linkID'), torrent.id, whose(principal));
    },
  }),
  'GET /api/links/{key}/files/{index}/{file}': publicRoute({
    gate: 'public',
    summary:
      'A file of the torrent that the key opens, as GET /api/torrents/{id}/files/{index} gives it; also by HEAD. The last ' +
      'part of the path is for the player to look at',
    input: noInput,
    output: z.never(),
    errors: { ...FILE_ERRORS, 404: 'no such link, or no such file' },
    handle: async (_input, { services, request, params }) => {
      const key = params['key'] ?? '';
      const { account, torrent, id } = services.links.open(key);
      const index = fileIndexIn(params);
      const share = account.role === 'admin' ? { id: torrent.id } : refOf(torrent);
      const file = await services.fileStreams.open(share, index, account.id, id);
      try {
        return fileReply(file, {
          method: request.method ?? 'GET',
          headers: request.headers,
          etag: `"${torrent.id}.${index}"`,
          assertAllowed: () => void services.links.open(key),
        });
      } catch (error) {
        file.close();
        throw error;
      }
    },
  }),
} satisfies RouteTable;

/** null: everybody's. */
function whose({ account }: Principal): AccountId | null {
  return account.role === 'admin' ? null : account.id;
}
