// docs/api.md, "Additions": webhooks, by which programs hear of what happens to torrents.
import { okSchema } from '../../shared-protocol/dto/fields.js';
import {
  madeWebhookSchema,
  newWebhookSchema,
  webhookChangeSchema,
  webhookListSchema,
  webhookTestSchema,
} from '../../shared-protocol/dto/webhooks.js';
import { jsonInput, noInput } from './input.js';
import { accountRoute, numberInPath, type RouteTable } from './route.js';

const UNKNOWN = { 400: 'the id is no number', 404: 'no such webhook' };

export const webhookRoutes = {
  'GET /api/webhooks': accountRoute({
    gate: 'account',
    summary: "The caller's webhooks, how sending goes, without their secrets",
    input: noInput,
    output: webhookListSchema,
    handle: (_input, { services, principal }) => services.webhooks.list(principal.account.id),
  }),
  'POST /api/webhooks': accountRoute({
    gate: 'account',
    summary:
      'Makes a webhook: events of the torrents that the caller may see are sent to its URL by POST, signed, until they ' +
      'arrive. The secret is shown this once',
    input: jsonInput(newWebhookSchema),
    output: madeWebhookSchema,
    handle: (webhook, { services, principal }) => services.webhooks.create(principal.account.id, webhook),
  }),
  'PUT /api/webhooks/{id}': accountRoute({
    gate: 'account',
    summary: 'Changes a webhook of the caller, and tries at once what waits; what is not enabled forgets what waits',
    input: jsonInput(webhookChangeSchema),
    output: okSchema,
    errors: UNKNOWN,
    handle: (change, context) =>
      context.services.webhooks.change(context.principal.account.id, numberInPath(context, 'id'), change),
  }),
  'POST /api/webhooks/{id}/test': accountRoute({
    gate: 'account',
    summary: 'Sends a message to the URL of a webhook of the caller, once, and says what it was answered',
    input: noInput,
    output: webhookTestSchema,
    errors: { ...UNKNOWN, 502: 'it was not taken' },
    handle: (_input, context) =>
      context.services.webhooks.test(context.principal.account.id, numberInPath(context, 'id')),
  }),
  'POST /api/webhooks/{id}/secret': accountRoute({
    gate: 'account',
    summary:
      'Makes another secret for a webhook of the caller, which is shown this once. For a day messages are signed with the one ' +
      'before as well',
    input: noInput,
    output: madeWebhookSchema,
    errors: UNKNOWN,
    handle: (_input, context) =>
      context.services.webhooks.replaceSecret(context.principal.account.id, numberInPath(context, 'id')),
  }),
  'DELETE /api/webhooks/{id}': accountRoute({
    gate: 'account',
    summary: 'Deletes a webhook of the caller, with what waits',
    input: noInput,
    output: okSchema,
    errors: UNKNOWN,
    handle: (_input, context) =>
      context.services.webhooks.remove(context.principal.account.id, numberInPath(context, 'id')),
  }),
} satisfies RouteTable;
