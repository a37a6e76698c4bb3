// Samples of the routes of docs/api.md, "Additions": webhooks. Their host does not exist: messages that arrive are in
// test/integration/webhooks.test.ts.
import type { webhookRoutes } from '../../../../api/routes/webhooks.js';
import { OK, type Refusal, type Samples, type Scene } from '../sample.js';

const UNKNOWN_ID = '987654321';
const URL = 'http://webhook.invalid/swarmd';
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

/** An account may have only so many. */
async function deleteAll({ asCaller }: Scene): Promise<void> {
  for (const { id } of await asCaller<{ id: number }[]>('GET', '/api/webhooks')) {
    await asCaller('DELETE', `/api/webhooks/${id}`);
  }
}

async function newWebhook(scene: Scene): Promise<string> {
  await deleteAll(scene);
  return String((await scene.asCaller<{ id: number }>('POST', '/api/webhooks', { url: URL })).id);
}

const unknown = (body?: object): Refusal => ({
  name: 'no such webhook',
  call: { params: { id: UNKNOWN_ID }, ...(body ? { body } : {}) },
  status: 404,
  error: 'webhook not found',
});
const bad = (name: string, body: object, error: string | RegExp): Refusal => ({
  name,
  call: { body },
  status: 400,
  error,
});

export const webhookSamples: Samples<typeof webhookRoutes> = {
  'GET /api/webhooks': {
    who: 'account',
    call: async (scene) => {
      await newWebhook(scene);
      return {};
    },
    answer: [{ id: Number, user_id: Number, url: URL, enabled: true, pending: 0, last_error: null }],
  },
  'POST /api/webhooks': {
    who: 'account',
    call: async (scene) => {
      await deleteAll(scene);
      return { body: { url: URL, events: ['completed'] } };
    },
    answer: { id: Number, events: ['completed'], secret: SECRET },
    refusals: [
      bad('no URL', { url: '' }, 'url: must not be empty'),
      bad('another scheme', { url: 'ftp://webhook.invalid/' }, 'url: expected an http or https URL'),
      bad(
        'an address inside',
        { url: 'http://169.254.169.254/latest' },
        'url: This URL points to a private address. Allow it with --fetch-allow.',
      ),
      bad('an event that there is not', { url: URL, events: ['paused'] }, /^events\.0: /),
      bad('no event', { url: URL, events: [] }, /^events: /),
    ],
  },
  'PUT /api/webhooks/{id}': {
    who: 'account',
    call: async (scene) => ({ params: { id: await newWebhook(scene) }, body: { enabled: false } }),
    answer: OK,
    refusals: [unknown({ enabled: true })],
  },
  'POST /api/webhooks/{id}/test': {
    who: 'account',
    call: async (scene) => ({ params: { id: await newWebhook(scene) } }),
    status: 502,
    answer: { error: /^webhook: host name/ },
    refusals: [unknown()],
  },
  'POST /api/webhooks/{id}/secret': {
    who: 'account',
    call: async (scene) => ({ params: { id: await newWebhook(scene) } }),
    answer: { id: Number, url: URL, secret: SECRET },
    refusals: [unknown()],
  },
  'DELETE /api/webhooks/{id}': {
    who: 'account',
    call: async (scene) => ({ params: { id: await newWebhook(scene) } }),
    answer: OK,
    refusals: [unknown()],
  },
};
