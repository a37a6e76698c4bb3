// docs/api.md, "Torrents": the list, adding, and what is done to one of them.
import { z } from 'zod';
import { okSchema } from '../../shared-protocol/dto/fields.js';
import { magnetBodySchema, urlBodySchema } from '../../shared-protocol/dto/adding.js';
import { detailSchema, detailsQuerySchema, piecesSchema } from '../../shared-protocol/dto/inspector.js';
import { ratesSchema } from '../../shared-protocol/dto/rates.js';
import { listQuerySchema, serverTorrentListSchema } from '../../shared-protocol/dto/remotes.js';
import {
  addedByUrlSchema,
  addedSchema,
  deleteQuerySchema,
  diagnosisSchema,
  overlapListSchema,
  peersAddedSchema,
  peersBodySchema,
  trackerBodySchema,
} from '../../shared-protocol/dto/torrents.js';
import { diagnosisOf } from '../services/library/diagnosis.js';
import { toPiecesDto } from '../services/library/inspector-dto.js';
import { contentDisposition } from './files/content-disposition.js';
import { jsonInput, noInput, queryInput, uploadInput } from './input.js';
import { joinedReply, listReply } from './list-reply.js';
import { Reply } from './reply.js';
import { accountRoute, torrentRoute, type RouteTable } from './route.js';
import { StreamedBody } from './streamed-body.js';

const NO_LABEL = { 404: 'no such category or tag' };

export const torrentRoutes = {
  'GET /api/torrents': accountRoute({
    gate: 'account',
    summary:
      'Torrents the caller may see, newest first; with servers=all those of its remotes after them, each with the ' +
      'server_id that the routes for one torrent take; with server_id those of that remote alone',
    input: queryInput(listQuerySchema),
    output: serverTorrentListSchema,
    errors: { 404: 'no such server' },
    handle: async ({ servers, server_id }, { services: { remotes, ...services }, principal, request: { headers } }) => {
      const { account } = principal;
      if (server_id !== undefined)
        return joinedReply(null, await remotes.torrentsFor(account, Number(server_id)), headers);
      const snapshot = await services.snapshots.of(account);
      if (servers === undefined) return listReply(snapshot, services.deflatedLists, headers);
      return joinedReply(snapshot, await remotes.torrentsFor(account), headers);
    },
  }),
  'POST /api/torrents/magnet': accountRoute({
    gate: 'perm_add_torrents',
    summary: 'Adds a torrent by magnet URI, or by nothing but its info hash',
    input: jsonInput(magnetBodySchema),
    output: addedSchema,
    errors: NO_LABEL,
    handle: async ({ magnet, ...beginning }, { services, principal }) => ({
      id: await services.adding.addMagnet(principal.account, magnet, beginning),
    }),
  }),
  'POST /api/torrents/file': accountRoute({
    gate: 'perm_add_torrents',
    summary: 'Adds a torrent by its file, 10 MiB at most',
    input: uploadInput,
    output: addedSchema,
    errors: NO_LABEL,
    handle: async ({ file, ...beginning }, { services, principal }) => ({
      id: await services.adding.addFile(principal.account, file, beginning),
    }),
  }),
  'POST /api/torrents/url': accountRoute({
    gate: 'perm_add_torrents',
    summary: 'Adds a torrent by magnet URI, by its info hash or by the URL of its file',
    input: jsonInput(urlBodySchema),
    output: addedByUrlSchema,
    errors: NO_LABEL,
    handle: async ({ url, ...beginning }, { services, principal }) => {
      const { existed } = await services.adding.addUrl(principal.account, url, beginning);
      return { ok: true as const, ...(existed ? { existed: true as const } : {}) };
    },
  }),
  'GET /api/torrents/overlaps': accountRoute({
    gate: 'admin',
    summary: 'Torrents of different accounts that claim the same place on disk, as those added before claims may',
    input: noInput,
    output: overlapListSchema,
    handle: async (_input, { services }) =>
      (await services.library.overlaps()).map(({ one, other, path }) => ({ torrents: [one, other], path })),
  }),
  'POST /api/torrents/{id}/pause': torrentRoute({
    access: 'editor',
    summary: 'Pauses',
    input: noInput,
    output: okSchema,
    handle: (_input, { services, share }) => services.running.pause(share),
  }),
  'POST /api/torrents/{id}/resume': torrentRoute({
    access: 'editor',
    summary: 'Ends a pause; 400 where the account that owns it runs as many torrents as it may, or has no room for it',
    input: noInput,
    output: okSchema,
    errors: { 400: 'a quota of the account that owns it is reached' },
    handle: (_input, { services, share, principal }) => services.running.resume(principal.account, share),
  }),
  'POST /api/torrents/{id}/recheck': torrentRoute({
    access: 'editor',
    summary:
      'Verifies every piece on disk again. Files at its paths that it did not make become its own where an ' +
      'administrator asks, and count as absent else',
    input: noInput,
    output: okSchema,
    handle: (_input, { services, principal, share }) =>
      services.library.recheck(share, principal.account.role === 'admin'),
  }),
  'GET /api/torrents/{id}/diagnosis': torrentRoute({
    access: 'viewer',
    summary: 'Why it does not run as it should: its error, and the state of its disk',
    input: noInput,
    output: diagnosisSchema,
    handle: (_input, { torrent }) => diagnosisOf(torrent),
  }),
  'GET /api/torrents/{id}/rates': torrentRoute({
    access: 'viewer',
    summary: 'How fast it went in the last ten minutes, as the caller was shown then',
    input: noInput,
    output: ratesSchema,
    handle: (_input, { services, principal, torrent }) => services.rates.ofTorrent(principal.account, torrent),
  }),
  'GET /api/torrents/{id}/file': torrentRoute({
    access: 'editor',
    summary: 'The torrent file, with the trackers of the share that is edited; the info dictionary is byte for byte',
    input: noInput,
    output: z.never(),
    errors: { 409: 'its metadata is not there yet' },
    handle: async (_input, { services, share, torrent }) =>
      new Reply(await services.library.torrentFile(share), {
        'Content-Type': 'application/x-bittorrent',
        'Content-Disposition': contentDisposition('attachment', `${torrent.name}.torrent`),
        'X-Content-Type-Options': 'nosniff',
      }),
  }),
  'GET /api/torrents/{id}/details': torrentRoute({
    access: 'viewer',
    summary: 'The torrent in detail, once: what the push channel shows; tabs=files,peers,… says what of it, else all',
    input: queryInput(detailsQuerySchema),
    output: detailSchema,
    handle: async ({ tabs }, { services, principal, torrent }) =>
      new Reply(
        new StreamedBody(await services.inspector.details(principal.account, torrent.id, tabs?.split(',') ?? null)),
      ),
  }),
  'GET /api/torrents/{id}/pieces': torrentRoute({
    access: 'viewer',
    summary: 'Which pieces are there, and while it downloads how many peers have each',
    input: noInput,
    output: piecesSchema,
    handle: async (_input, { services, share }) => toPiecesDto(await services.library.pieces(share)),
  }),
  'DELETE /api/torrents/{id}': torrentRoute({
    access: 'owner',
    summary:
      'Removes the torrent, with delete=1 its files as well; where other accounts hold it, only the share of the caller ' +
      '(an administrator removes it for all)',
    input: queryInput(deleteQuerySchema),
    output: okSchema,
    handle: (query, { services, share }) => services.library.remove(share, query.delete === '1'),
  }),
  'POST /api/torrents/{id}/peers': torrentRoute({
    access: 'editor',
    summary: 'Connects to peers by hand',
    input: jsonInput(peersBodySchema),
    output: peersAddedSchema,
    handle: async ({ peers }, { services, torrent, principal }) => ({
      ok: true as const,
      added: await services.library.addPeers(torrent.id, peers, principal.account),
    }),
  }),
  'POST /api/torrents/{id}/trackers': torrentRoute({
    access: 'editor',
    summary: 'Adds a tracker and announces to it',
    input: jsonInput(trackerBodySchema),
    output: okSchema,
    handle: ({ url }, { services, share, principal }) => services.torrentTrackers.add(share, url, principal.account),
  }),
  'DELETE /api/torrents/{id}/trackers': torrentRoute({
    access: 'editor',
    summary: 'Removes a tracker; no error when it is not there',
    input: jsonInput(trackerBodySchema),
    output: okSchema,
    handle: ({ url }, { services, share }) => services.library.removeTracker(share, url),
  }),
} satisfies RouteTable;
