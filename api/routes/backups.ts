// docs/api.md, "Additions": archives of the state.
import { z } from 'zod';
import { backupsSchema } from '../../shared-protocol/dto/backups.js';
import { okSchema } from '../../shared-protocol/dto/fields.js';
import { authenticate } from '../auth/authenticate.js';
import { RequestError } from '../errors.js';
import { contentDisposition } from './files/content-disposition.js';
import { noInput } from './input.js';
import { LiveBody } from './live-body.js';
import { Reply } from './reply.js';
import { accountRoute, type RouteTable } from './route.js';

const NO_BACKUP = { 404: 'no such backup' };

export const backupRoutes = {
  'POST /api/backups': accountRoute({
    gate: 'admin',
    summary: 'Begins to write an archive of the state, while everything goes on, unless one is under way; its name',
    input: noInput,
    output: z.object({ name: z.string() }),
    handle: async (_input, { services }) => ({ name: await services.backups.begin() }),
  }),
  'GET /api/backups': accountRoute({
    gate: 'admin',
    summary: 'The archives that there are, and whether one is being written',
    input: noInput,
    output: backupsSchema,
    handle: (_input, { services }) => services.backups.list(),
  }),
  'GET /api/backups/{name}': accountRoute({
    gate: 'admin',
    summary: 'An archive. It holds digests of passwords and keys, and passkeys of trackers',
    input: noInput,
    output: z.never(),
    errors: NO_BACKUP,
    handle: async (_input, { services, params, principal, request }) => {
      const name = params['name'] ?? '';
      const { size, bytes, close } = await services.backups.open(name);
      const headers = {
        'Content-Type': 'application/gzip',
        'Content-Disposition': contentDisposition('attachment', name),
        'Content-Length': String(size),
        'Cache-Control': 'no-store',
      };
      if (request.method === 'HEAD') {
        close();
        return new Reply(Buffer.alloc(0), headers);
      }
      const chunks = bytes[Symbol.asyncIterator]();
      const assertAllowed = () => {
        const now = authenticate(request.headers, services)?.account;
        if (now?.id !== principal.account.id || now.role !== 'admin') throw new RequestError('UNAUTHORIZED');
      };
      const next = async () => {
        assertAllowed();
        const { done, value } = await chunks.next();
        return done ? null : value;
      };
      return new Reply(new LiveBody({ length: size, next, assertAllowed, close }), headers);
    },
  }),
  'DELETE /api/backups/{name}': accountRoute({
    gate: 'admin',
    summary: 'Deletes an archive',
    input: noInput,
    output: okSchema,
    errors: NO_BACKUP,
    handle: (_input, { services, params }) => services.backups.delete(params['name'] ?? ''),
  }),
} satisfies RouteTable;
