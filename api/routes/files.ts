// docs/api.md, "Additions": files of torrents over HTTP, while they are downloaded and after.
import { z } from 'zod';
import { RequestError } from '../errors.js';
import { authenticate } from '../auth/authenticate.js';
import { admitToTorrent, torrentNamed } from './authorize.js';
import { fileReply } from './files/file-reply.js';
import { noInput } from './input.js';
import { torrentRoute, type RouteTable, type TorrentContext } from './route.js';

export const FILE_ERRORS = {
  404: 'no such file',
  409: 'the bytes are not there and not on their way (paused, not wanted, being checked, …), or no metadata yet',
  412: 'If-Match names another file',
  416: 'the range begins behind the end',
  429: 'as many files are read as may be at a time',
};

export const fileRoutes = {
  'GET /api/torrents/{id}/files/{index}': torrentRoute({
    access: 'viewer',
    summary:
      'The bytes of a file, by its index among the files of the torrent; also by HEAD. One range of bytes may be asked for, ' +
      'several are answered by the whole file. What is not downloaded yet is fetched before all else, then what follows it, ' +
      'and waited for; nothing is sent that is not verified. The answer ends early where it cannot go on',
    input: noInput,
    output: z.never(),
    errors: FILE_ERRORS,
    handle: async (_input, context) => {
      const { services, share, torrent, principal, request, params } = context;
      const index = fileIndexIn(params);
      const file = await services.fileStreams.open(share, index, principal.account.id);
      try {
        return fileReply(file, {
          method: request.method ?? 'GET',
          headers: request.headers,
          etag: `"${torrent.id}.${index}"`,
          assertAllowed: () => assertStillAllowed(context),
        });
      } catch (error) {
        file.close();
        throw error;
      }
    },
  }),
} satisfies RouteTable;

/** @throws RequestError `BODY_INVALID` */
export function fileIndexIn(params: Readonly<Record<string, string>>): number {
  const named = params['index'] ?? '';
  if (!/^\d{1,15}$/.test(named)) throw new RequestError('BODY_INVALID', 'index: expected a whole number');
  return Number(named);
}

/** Throws where the session or key, the account, the torrent, or the access to it has ended meanwhile. */
export function assertStillAllowed({ request, services, principal, torrent }: TorrentContext): void {
  const now = authenticate(request.headers, services);
  if (now?.account.id !== principal.account.id) throw new RequestError('UNAUTHORIZED');
  admitToTorrent(now.account, torrent.id, 'viewer', services);
  torrentNamed(torrent.id, 'id', services);
}
