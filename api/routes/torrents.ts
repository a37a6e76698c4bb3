// interface.md, "Torrents".
import { z } from 'zod';
import { accountRoute, jsonInput, noInput, queryInput, torrentRoute, uploadInput, type Route } from './route.js';

/** No spec value: longer magnets than any client writes. */
const MAX_MAGNET_LENGTH = 64 * 1024;
const MAX_PEERS_PER_CALL = 1_000;
const MAX_PEER_ADDRESS_LENGTH = 300;

const magnetSchema = z.object({
  magnet: z.string().max(MAX_MAGNET_LENGTH, `at most ${MAX_MAGNET_LENGTH} characters`),
  save_path: z.string().nullish(),
});
const deleteSchema = z.object({ delete: z.string().optional() });
const peersSchema = z.object({ peers: z.array(z.string().max(MAX_PEER_ADDRESS_LENGTH)).max(MAX_PEERS_PER_CALL) });

export const torrentRoutes: readonly Route[] = [
  accountRoute({
    method: 'get',
    path: '/api/torrents',
    gate: 'account',
    input: noInput,
    handle: (_input, { services, principal }) => ({ json: services.snapshots.list(principal.account) }),
  }),
  accountRoute({
    method: 'post',
    path: '/api/torrents/magnet',
    gate: 'perm_add_torrents',
    input: jsonInput(magnetSchema),
    handle: async ({ magnet, save_path }, { services, principal }) => {
      const id = await services.library.add(principal.account, { kind: 'magnet', uri: magnet }, save_path ?? '');
      return { json: { id } };
    },
  }),
  accountRoute({
    method: 'post',
    path: '/api/torrents/file',
    gate: 'perm_add_torrents',
    input: uploadInput,
    handle: async ({ file, save_path }, { services, principal }) => {
      const id = await services.library.add(principal.account, { kind: 'metainfo', bytes: file }, save_path);
      return { json: { id } };
    },
  }),
  torrentRoute({
    method: 'post',
    path: '/api/torrents/:id/pause',
    gate: 'torrent:editor',
    input: noInput,
    handle: (_input, { services, torrent }) => services.library.pause(torrent.id),
  }),
  torrentRoute({
    method: 'post',
    path: '/api/torrents/:id/resume',
    gate: 'torrent:editor',
    input: noInput,
    handle: (_input, { services, torrent }) => services.library.resume(torrent.id),
  }),
  torrentRoute({
    method: 'post',
    path: '/api/torrents/:id/recheck',
    gate: 'torrent:editor',
    input: noInput,
    handle: (_input, { services, torrent }) => services.library.recheck(torrent.id),
  }),
  torrentRoute({
    method: 'delete',
    path: '/api/torrents/:id',
    gate: 'torrent:owner',
    input: queryInput(deleteSchema),
    handle: (query, { services, torrent }) => services.library.remove(torrent.id, query.delete === '1'),
  }),
  torrentRoute({
    method: 'post',
    path: '/api/torrents/:id/peers',
    gate: 'torrent:editor',
    input: jsonInput(peersSchema),
    handle: async ({ peers }, { services, torrent }) => ({
      json: { ok: true, added: await services.library.addPeers(torrent.id, peers) },
    }),
  }),
];
