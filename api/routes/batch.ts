// One action on many torrents in one request: each is admitted and judged as by the route for one, and told what came of
// it. Torrents are acted on side by side, so that the store makes them durable together.
import type { BatchOutcome } from '../../shared-protocol/dto/batch-outcome.js';
import {
  batchAnswerSchema,
  batchBodySchema,
  type BatchAction,
  type BatchActionName,
} from '../../shared-protocol/dto/batch.js';
import { forEachLimit } from '../../shared-protocol/for-each-limit.js';
import { hasPermission } from '../auth/account.js';
import { answerFor, RequestError } from '../errors.js';
import { admitToTorrent } from './authorize.js';
import { BATCH_ACTIONS } from './batch-actions.js';
import { jsonInput } from './input.js';
import { accountRoute, withTorrent, type AccountContext, type RouteTable } from './route.js';

/** So many share a commit of the store, and a command of another account waits for no more. */
const TORRENTS_AT_A_TIME = 256;

export const batchRoutes = {
  'POST /api/torrents/batch': accountRoute({
    gate: 'account',
    summary:
      'Does one thing to many torrents, each by the access that the route for one needs, and tells of each what came of it',
    input: jsonInput(batchBodySchema),
    output: batchAnswerSchema,
    handle: async ({ ids, ...action }, context) => ({ outcomes: await actOnEach(ids, action, context) }),
  }),
} satisfies RouteTable;

/** Does it to each torrent once; in the order of the ids. */
export async function actOnEach(
  ids: readonly string[],
  action: BatchAction,
  context: AccountContext,
): Promise<BatchOutcome[]> {
  const outcomes = new Map<string, BatchOutcome>(ids.map((id) => [id, { id, ok: false }]));
  await forEachLimit([...outcomes.keys()], TORRENTS_AT_A_TIME, async (id) => {
    outcomes.set(id, await outcomeFor(id, action, context));
  });
  return [...outcomes.values()];
}

async function outcomeFor(id: string, action: BatchAction, context: AccountContext): Promise<BatchOutcome> {
  try {
    await act(id, action, context);
    return { id, ok: true };
  } catch (error) {
    const { status, body } = answerFor(error);
    // A fault of ours is for the log, which the answer to the whole request goes through.
    if (status === 500 && body.error === 'internal error') throw error;
    return { id, ok: false, status, error: body.error };
  }
}

async function act<Name extends BatchActionName>(
  id: string,
  fields: Extract<BatchAction, { readonly action: Name }>,
  context: AccountContext,
): Promise<void> {
  const { access, permission, run } = BATCH_ACTIONS[fields.action as Name];
  const account = context.services.accounts.find(context.principal.account.id);
  // Its rights may have been taken away since the batch began.
  if (!account || account.disabled) throw new RequestError('FORBIDDEN');
  if (permission && !hasPermission(account, permission)) throw new RequestError('FORBIDDEN');
  // Before it is looked for: others than administrators are not told whether it exists.
  admitToTorrent(account, id, access, context.services);
  const principal = { ...context.principal, account };
  await run(fields, withTorrent({ ...context, principal }, access, 'ids', id));
}
