// Torrents that a change names, and the change done to each of them as a batch of `/api` does it: by the same access, with
// the same effect. What the caller is not shown is as if it were not named; what it sees and may not change is told.
import type { Access } from '../../../../shared-protocol/dto/torrents.js';
import type { BatchOutcome } from '../../../../shared-protocol/dto/batch-outcome.js';
import type { BatchAction } from '../../../../shared-protocol/dto/batch.js';
import type { TorrentId } from '../../../../shared-protocol/ids.js';
import { BATCH_ACTIONS, type Deed } from '../../../routes/batch-actions.js';
import { actOnEach, doToEach } from '../../../routes/batch.js';
import type { TorrentContext } from '../../../routes/route.js';
import { findTorrent, idsWithAccess, torrentNamed } from '../../selection.js';
import { changed } from '../answers.js';
import { changing, type Answer, type Call } from '../row.js';

const ALL = 'all';

/**
 * Ids in the order in which `field` names them, joined with `|`; `all`: every one with which the caller may do it.
 * @throws RequestError `BODY_INVALID` without the field
 */
export function idsNamed(call: Call, needed: Access = 'editor', field = 'hashes'): TorrentId[] {
  if (call.fields.given(field).trim().toLowerCase() === ALL) return idsWithAccess(call, needed);
  const found = call.fields.list(field, '|').flatMap((hash) => findTorrent(call, hash)?.torrent.id ?? []);
  return [...new Set(found)];
}

/** Does to torrents what a batch of `/api` does. */
export async function actOn(call: Call, ids: readonly TorrentId[], action: BatchAction): Promise<Answer> {
  return answerTo(await actOnEach(ids, action, call));
}

/** Done to torrents, by an account that may edit them. */
export async function changeMany(call: Call, ids: readonly TorrentId[], run: Deed['run']): Promise<Answer> {
  return answerTo(await doToEach(ids, { access: 'editor', run }, call));
}

/** A torrent that has been removed meanwhile is none of those that are named any more. */
function answerTo(outcomes: readonly BatchOutcome[]): Answer {
  return changed(outcomes.filter(({ status }) => status !== 404));
}

/** The torrent that `hash` names. @throws RequestError `BODY_INVALID`, `NOT_FOUND` */
export function oneNamed(call: Call): TorrentContext {
  return torrentNamed(call, call.fields.required('hash').trim());
}

/** Done to the torrent that `hash` names; what it has not, a file say, is a conflict. @throws as {@link oneNamed} */
export async function changeOne(call: Call, run: Deed['run']): Promise<Answer> {
  const { torrent } = oneNamed(call);
  return changed(await doToEach([torrent.id], { access: 'editor', run }, call));
}

/** A route that does to torrents what a batch of `/api` does; its fields are read before any is touched. */
export function batched(actionOf: (call: Call) => BatchAction, field?: string) {
  return changing((call) => {
    const action = actionOf(call);
    return actOn(call, idsNamed(call, BATCH_ACTIONS[action.action].access, field), action);
  });
}

/** The same for what is no action of a batch, for those who may edit the torrent. */
export function editing(runOf: (call: Call) => Deed['run'], field?: string) {
  return changing((call) => changeMany(call, idsNamed(call, 'editor', field), runOf(call)));
}
