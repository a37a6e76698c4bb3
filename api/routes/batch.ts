// One action on many torrents in one request: each is admitted and judged as by the route for one, and told what came of
// it. Torrents are acted on side by side, so that the store makes them durable together; an action that is about all of
// them, as their order is, is done once.
import type { BatchOutcome } from '../../shared-protocol/dto/batch-outcome.js';
import { batchAnswerSchema, batchBodySchema, type BatchAction } from '../../shared-protocol/dto/batch.js';
import { forEachLimit } from '../../shared-protocol/for-each-limit.js';
import { Slices } from '../../shared-protocol/slices.js';
import { hasPermission } from '../auth/account.js';
import { answerFor, RequestError } from '../errors.js';
import { admitToTorrent } from './authorize.js';
import { deedOf, type Deed, type JointDeed, type Needs } from './batch-actions.js';
import { jsonInput } from './input.js';
import { accountRoute, withTorrent, type AccountContext, type RouteTable, type TorrentContext } from './route.js';

/** So many share a commit of the store, and a command of another account waits for no more. */
const TORRENTS_AT_A_TIME = 256;
/** Requests are answered in between. */
const SLICE_MS = 5;

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
export function actOnEach(
  ids: readonly string[],
  action: BatchAction,
  context: AccountContext,
): Promise<BatchOutcome[]> {
  return doToEach(ids, deedOf(action), context);
}

/** Does to each torrent once what is no action of a batch; in the order of the ids. */
export async function doToEach(
  ids: readonly string[],
  deed: Deed | JointDeed,
  context: AccountContext,
): Promise<BatchOutcome[]> {
  const torrents = [...new Set(ids)];
  const outcomes = new Map<string, BatchOutcome>(torrents.map((id) => [id, { id, ok: false }]));
  // Nothing is waited for where all are refused.
  const slices = new Slices(SLICE_MS);
  if ('runTogether' in deed) {
    const admitted = new Map<string, TorrentContext>();
    for (const id of torrents) {
      if (slices.isOver) await slices.pass();
      outcomes.set(id, await outcomeOf(id, async () => void admitted.set(id, admit(id, deed, context))));
    }
    const done = await outcomeOf('', () => deed.runTogether([...admitted.values()]));
    for (const id of admitted.keys()) outcomes.set(id, { ...done, id });
  } else {
    await forEachLimit(torrents, TORRENTS_AT_A_TIME, async (id) => {
      if (slices.isOver) await slices.pass();
      outcomes.set(id, await outcomeOf(id, async () => deed.run(admit(id, deed, context))));
    });
  }
  return [...outcomes.values()];
}

async function outcomeOf(id: string, act: () => Promise<unknown>): Promise<BatchOutcome> {
  try {
    await act();
    return { id, ok: true };
  } catch (error) {
    const { status, body } = answerFor(error);
    // A fault of ours is for the log, which the answer to the whole request goes through.
    if (status === 500 && body.error === 'internal error') throw error;
    return { id, ok: false, status, ...body };
  }
}

/** @throws RequestError where the account, as it is by now, may not do it to this torrent */
function admit(id: string, { access, permission }: Needs, context: AccountContext): TorrentContext {
  const account = context.services.accounts.find(context.principal.account.id);
  // Its rights may have been taken away since the batch began.
  if (!account || account.disabled) throw new RequestError('FORBIDDEN');
  if (permission && !hasPermission(account, permission)) throw new RequestError('FORBIDDEN');
  // Before it is looked for: others than administrators are not told whether it exists.
  admitToTorrent(account, id, access, context.services);
  const principal = { ...context.principal, account };
  return withTorrent({ ...context, principal }, access, 'ids', id);
}
