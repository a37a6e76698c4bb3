// interface.md, "Stats and inspector": which torrent the caller's sockets are shown in detail.
import { z } from 'zod';
import { accountRoute, jsonInput, noInput, type Route } from './route.js';

const focusSchema = z.object({ id: z.string(), tabs: z.array(z.string()).nullish() });

export const inspectorRoutes: readonly Route[] = [
  accountRoute({
    method: 'post',
    path: '/api/inspector/focus',
    // The body names the torrent, so access to it is asked for when the body has been read.
    gate: 'account',
    input: jsonInput(focusSchema),
    handle: ({ id, tabs }, { services, principal }) => services.inspector.focus(principal.account, id, tabs ?? []),
  }),
  accountRoute({
    method: 'post',
    path: '/api/inspector/clear',
    gate: 'account',
    input: noInput,
    handle: (_input, { services, principal }) => services.inspector.clear(principal.account),
  }),
];
