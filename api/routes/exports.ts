// docs/api.md, "Additions": torrents as another program takes them over.
import { z } from 'zod';
import { authenticate } from '../auth/authenticate.js';
import { RequestError } from '../errors.js';
import { contentDisposition } from './files/content-disposition.js';
import { noInput } from './input.js';
import { LiveBody } from './live-body.js';
import { Reply } from './reply.js';
import { accountRoute, type RouteTable } from './route.js';
import { ZipStream } from './zip/zip-stream.js';

export const exportRoutes = {
  'GET /api/export': accountRoute({
    gate: 'account',
    summary:
      'A zip archive of the torrents that the account may edit, as qBittorrent keeps its own: BT_backup with torrent files and ' +
      'resume data, and categories.json. Whoever unpacks it there goes on without a check',
    input: noInput,
    output: z.never(),
    errors: { 429: 'an export of the account is under way' },
    handle: (_input, { services, principal, request }) => {
      const headers = {
        'Content-Type': 'application/zip',
        'Content-Disposition': contentDisposition('attachment', 'qBittorrent.zip'),
        'Cache-Control': 'no-store',
      };
      if (request.method === 'HEAD') return new Reply(Buffer.alloc(0), headers);
      const assertAllowed = () => {
        const now = authenticate(request.headers, services);
        const { id, role } = principal.account;
        if (now?.account.id !== id || now.account.role !== role) throw new RequestError('UNAUTHORIZED');
      };
      return new Reply(
        new LiveBody(new ZipStream({ ...services.exports.begin(principal.account), assertAllowed })),
        headers,
      );
    },
  }),
} satisfies RouteTable;
