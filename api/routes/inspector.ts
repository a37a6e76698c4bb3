// docs/api.md, "Stats and inspector": which torrent the caller's sockets are shown in detail.
import { okSchema } from '../../shared-protocol/dto/fields.js';
import { focusBodySchema } from '../../shared-protocol/dto/inspector.js';
import { jsonInput, noInput } from './input.js';
import { accountRoute, type RouteTable } from './route.js';

export const inspectorRoutes = {
  'POST /api/inspector/focus': accountRoute({
    // An empty id names no torrent, so access to it is asked for by the service.
    gate: 'account',
    summary: 'Shows a torrent in detail on the sockets of the account',
    input: jsonInput(focusBodySchema),
    output: okSchema,
    errors: { 404: 'no such torrent' },
    handle: ({ id, tabs }, { services, principal }) => services.inspector.focus(principal.account, id, tabs ?? []),
  }),
  'POST /api/inspector/clear': accountRoute({
    gate: 'account',
    summary: 'Shows no torrent in detail any more',
    input: noInput,
    output: okSchema,
    handle: (_input, { services, principal }) => services.inspector.clear(principal.account),
  }),
} satisfies RouteTable;
