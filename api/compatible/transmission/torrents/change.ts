// What is done to torrents in one word: started, stopped, checked, announced, removed, moved in the queue. All through what a
// batch of `/api` does, so that access is decided once.
import type { Access } from '../../../../shared-protocol/dto/torrents.js';
import type { BatchAction } from '../../../../shared-protocol/dto/batch.js';
import { actOnEach, doToEach } from '../../../routes/batch.js';
import { announce } from '../../announce.js';
import { assertDone } from '../answers.js';
import { changing, type Call, type MethodTable, type Result } from '../row.js';
import { idsToChange } from './named.js';

const NOTHING: Result = {};

export const changeMethods = {
  'torrent-start': changing((call) => start(call, false)),
  'torrent-start-now': changing((call) => start(call, true)),
  'torrent-stop': changing((call) => act(call, { action: 'pause' })),
  'torrent-verify': changing((call) => act(call, { action: 'recheck' })),
  'torrent-reannounce': changing(async (call) => {
    assertDone(await doToEach(idsToChange(call, 'editor'), { access: 'editor', run: announce }, call));
    return NOTHING;
  }),
  'torrent-remove': changing(remove),
  'queue-move-top': changing((call) => act(call, { action: 'queue_move', to: 'top' })),
  'queue-move-up': changing((call) => act(call, { action: 'queue_move', to: 'up' })),
  'queue-move-down': changing((call) => act(call, { action: 'queue_move', to: 'down' })),
  'queue-move-bottom': changing((call) => act(call, { action: 'queue_move', to: 'bottom' })),
} as const satisfies MethodTable;

/** @throws RequestError `BODY_INVALID`, `TORRENT_REFUSED` */
export async function act(call: Call, action: BatchAction, needed: Access = 'editor'): Promise<Result> {
  assertDone(await actOnEach(idsToChange(call, needed), action, call));
  return NOTHING;
}

/** `force`: whatever the queue says, until it is started without. */
async function start(call: Call, force: boolean): Promise<Result> {
  const ids = idsToChange(call, 'editor');
  assertDone(await actOnEach(ids, { action: 'force_start', force }, call));
  assertDone(await actOnEach(ids, { action: 'resume' }, call));
  return NOTHING;
}

function remove(call: Call): Promise<Result> {
  const delete_data = call.args.flag('delete_local_data') ?? false;
  return act(call, { action: 'remove', delete_data }, 'owner');
}
