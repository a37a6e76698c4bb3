// docs/api.md, "Additions": what MediaInfo says of a file of a torrent.
import { mediaInfoSchema } from '../../shared-protocol/dto/media-info.js';
import { assertStillAllowed, fileIndexIn } from './files.js';
import { noInput } from './input.js';
import { torrentRoute, type RouteTable } from './route.js';

export const mediaInfoRoutes = {
  'GET /api/torrents/{id}/files/{index}/media_info': torrentRoute({
    access: 'viewer',
    summary:
      'What MediaInfo says of a video or sound file all of which is there: container, tracks, codecs, bit rates, languages; ' +
      'as the text that the program of that name prints',
    input: noInput,
    output: mediaInfoSchema,
    errors: {
      400: 'it is damaged, of a kind that is not known, or takes too long: code MEDIA_UNREADABLE',
      404: 'no such file',
      409: 'not all of it is there, its torrent is being checked, or no metadata yet',
      429: 'a file is being looked at for the caller already',
    },
    handle: async (_input, context) => {
      const { services, share, principal, request, params } = context;
      const gone = new AbortController();
      const onClose = (): void => gone.abort();
      request.socket.once('close', onClose);
      try {
        const text = await services.mediaInfo.of(share, fileIndexIn(params), {
          accountId: principal.account.id,
          assertAllowed: () => assertStillAllowed(context),
          signal: gone.signal,
        });
        return { text };
      } finally {
        request.socket.off('close', onClose);
      }
    },
  }),
} satisfies RouteTable;
