// Beyond the contract of docs/api.md: what is in a torrent file, before it is added.
import { inspectedTorrentSchema, inspectUrlBodySchema } from '../../shared-protocol/dto/adding.js';
import { jsonInput, uploadInput } from './input.js';
import { accountRoute, type RouteTable } from './route.js';

export const inspectionRoutes = {
  'POST /api/torrents/inspect': accountRoute({
    gate: 'perm_add_torrents',
    summary: 'What is in a torrent file, 10 MiB at most, without adding it',
    input: uploadInput,
    output: inspectedTorrentSchema,
    handle: ({ file }, { services, principal }) => services.inspecting.file(principal.account, file),
  }),
  'POST /api/torrents/inspect_url': accountRoute({
    gate: 'perm_add_torrents',
    summary: 'What is in the torrent file at a URL, without adding it',
    input: jsonInput(inspectUrlBodySchema),
    output: inspectedTorrentSchema,
    handle: ({ url }, { services, principal }) => services.inspecting.url(principal.account, url),
  }),
} satisfies RouteTable;
