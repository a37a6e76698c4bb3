// docs/api.md, "Additions": what the caller is told of. No other account's can be named.
import { clearNoticesSchema, noticesSchema, readNoticesSchema } from '../../shared-protocol/dto/notices.js';
import { okSchema } from '../../shared-protocol/dto/fields.js';
import { jsonInput, noInput, queryInput } from './input.js';
import { accountRoute, numberInPath, type RouteTable } from './route.js';

export const noticeRoutes = {
  'GET /api/notices': accountRoute({
    gate: 'account',
    summary:
      'What has happened that concerns the caller, the newest of 300 first, and how many of each kind are unread',
    input: noInput,
    output: noticesSchema,
    handle: (_input, { services, principal }) => services.notices.of(principal.account.id),
  }),
  'POST /api/notices/read': accountRoute({
    gate: 'account',
    summary: 'Marks notices of the caller as read, all of them or those up to one',
    input: jsonInput(readNoticesSchema),
    output: okSchema,
    handle: ({ up_to }, { services, principal }) => services.notices.read(principal.account.id, up_to),
  }),
  'DELETE /api/notices': accountRoute({
    gate: 'account',
    summary: 'Removes notices of the caller, all of them or those up to one',
    input: queryInput(clearNoticesSchema),
    output: okSchema,
    handle: ({ up_to }, { services, principal }) =>
      services.notices.clear(principal.account.id, up_to === undefined ? undefined : Number(up_to)),
  }),
  'DELETE /api/notices/{id}': accountRoute({
    gate: 'account',
    summary: 'Removes a notice of the caller',
    input: noInput,
    output: okSchema,
    errors: { 400: 'the id is no number', 404: 'no such notice' },
    handle: (_input, admitted) =>
      admitted.services.notices.remove(admitted.principal.account.id, numberInPath(admitted, 'id')),
  }),
} satisfies RouteTable;
