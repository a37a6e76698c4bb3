// docs/api.md, "Additions": automations, rules by which torrents of an account are acted on.
import {
  automationChangeSchema,
  automationListSchema,
  automationsQuerySchema,
  newAutomationSchema,
  previewBodySchema,
  previewSchema,
  runListSchema,
} from '../../shared-protocol/dto/automations.js';
import { newIdSchema, okSchema } from '../../shared-protocol/dto/fields.js';
import { jsonInput, noInput, queryInput } from './input.js';
import { accountRoute, numberInPath, type RouteTable } from './route.js';

const UNKNOWN = { 400: 'the id is no number', 404: 'no such automation' };
const REFUSED = { 403: 'the account may not save at the path', 404: 'no such category or tag' };

export const automationRoutes = {
  'GET /api/automations': accountRoute({
    gate: 'account',
    summary:
      "The caller's rules in the order in which they are judged; with all=1 those of everybody, to administrators",
    input: queryInput(automationsQuerySchema),
    output: automationListSchema,
    handle: ({ all }, { services, principal }) => services.automations.list(principal.account, all === '1'),
  }),
  'POST /api/automations': accountRoute({
    gate: 'account',
    summary: 'Makes a rule that acts on torrents while conditions hold, by what the caller may do with each',
    input: jsonInput(newAutomationSchema),
    output: newIdSchema,
    errors: REFUSED,
    handle: async (rule, { services, principal }) => ({
      id: await services.automations.create(principal.account, rule),
    }),
  }),
  'POST /api/automations/preview': accountRoute({
    gate: 'account',
    summary: 'What a rule would do now, to which torrents and why not to others; nothing is changed',
    input: jsonInput(previewBodySchema),
    output: previewSchema,
    errors: REFUSED,
    handle: ({ rule, id }, { services, principal }) => services.automationPreviews.of(principal.account, rule, id),
  }),
  'PUT /api/automations/{id}': accountRoute({
    gate: 'account',
    summary: 'Changes a rule of the caller or its place in the order; one that stopped itself goes on if enabled again',
    input: jsonInput(automationChangeSchema),
    output: okSchema,
    errors: { ...UNKNOWN, ...REFUSED },
    handle: (change, context) =>
      context.services.automations.change(context.principal.account, numberInPath(context, 'id'), change),
  }),
  'DELETE /api/automations/{id}': accountRoute({
    gate: 'account',
    summary: 'Deletes a rule of the caller, with its history',
    input: noInput,
    output: okSchema,
    errors: UNKNOWN,
    handle: (_input, context) =>
      context.services.automations.remove(context.principal.account.id, numberInPath(context, 'id')),
  }),
  'GET /api/automations/{id}/history': accountRoute({
    gate: 'account',
    summary: 'What a rule of the caller did last, to which torrents; of any rule, to administrators',
    input: noInput,
    output: runListSchema,
    errors: UNKNOWN,
    handle: (_input, context) => [
      ...context.services.automations.history(context.principal.account, numberInPath(context, 'id')),
    ],
  }),
} satisfies RouteTable;
