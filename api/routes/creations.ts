// docs/api.md, "Additions": torrents that are made of files of the server.
import { z } from 'zod';
import { createBodySchema, creationListSchema, creationSchema } from '../../shared-protocol/dto/creations.js';
import { okSchema } from '../../shared-protocol/dto/fields.js';
import type { AccountId } from '../../shared-protocol/ids.js';
import type { Principal } from '../auth/authenticate.js';
import { contentDisposition } from './files/content-disposition.js';
import { jsonInput, noInput } from './input.js';
import { Reply } from './reply.js';
import { accountRoute, numberInPath, type RouteTable } from './route.js';

const NO_CREATION = { 404: 'no such creation, or it was forgotten' };

export const creationRoutes = {
  'POST /api/create': accountRoute({
    gate: 'perm_add_torrents',
    summary:
      'Makes a torrent of a file or folder of the server, in the background; with seed it is added from where it lies. The ' +
      'path must be one where the caller may save; who is no administrator may name what lies in its home, or what its ' +
      'torrents have, and nothing that may be of others',
    input: jsonInput(createBodySchema),
    output: creationSchema,
    handle: (body, { services, principal }) => services.creations.begin(principal.account, body),
  }),
  'GET /api/create': accountRoute({
    gate: 'perm_add_torrents',
    summary:
      'Torrents that are being made and that were made within the hour: of the caller, or of all for administrators',
    input: noInput,
    output: creationListSchema,
    handle: (_input, { services, principal }) => services.creations.list(whose(principal)),
  }),
  'GET /api/create/{id}': accountRoute({
    gate: 'perm_add_torrents',
    summary: 'How far one of them is, and why it has failed',
    input: noInput,
    output: creationSchema,
    errors: NO_CREATION,
    handle: (_input, context) => context.services.creations.show(numberInPath(context, 'id'), whose(context.principal)),
  }),
  'GET /api/create/{id}/file': accountRoute({
    gate: 'perm_add_torrents',
    summary: 'The torrent file, for an hour after it was made',
    input: noInput,
    output: z.never(),
    errors: { ...NO_CREATION, 409: 'it is not done, or has failed' },
    handle: (_input, context) => {
      const id = numberInPath(context, 'id');
      const { name, bytes } = context.services.creations.torrentFile(id, whose(context.principal));
      return new Reply(Buffer.from(bytes), {
        'Content-Type': 'application/x-bittorrent',
        'Content-Disposition': contentDisposition('attachment', name),
        'X-Content-Type-Options': 'nosniff',
      });
    },
  }),
  'DELETE /api/create/{id}': accountRoute({
    gate: 'perm_add_torrents',
    summary: 'Ends and forgets it; a torrent that was added with it stays',
    input: noInput,
    output: okSchema,
    errors: NO_CREATION,
    handle: (_input, context) => context.services.creations.end(numberInPath(context, 'id'), whose(context.principal)),
  }),
} satisfies RouteTable;

/** null: everybody's. */
function whose({ account }: Principal): AccountId | null {
  return account.role === 'admin' ? null : account.id;
}
