// `torrent-set`: all that it names is judged for every torrent before any is changed, so that a bad index leaves nothing
// half done.
import type { TorrentId } from '../../../../shared-protocol/ids.js';
import { RequestError } from '../../../errors.js';
import { actOnEach, doToEach } from '../../../routes/batch.js';
import type { TorrentContext } from '../../../routes/route.js';
import { assertDone } from '../answers.js';
import { changing, type Call, type MethodTable, type Result } from '../row.js';
import { idsToChange } from './named.js';
import { absolutePath } from './place.js';
import type { Change, Judge, Part } from './judge.js';
import { setFiles } from './set-files.js';
import { setPeerLimit, setSpeeds } from './set-limits.js';
import { setSeeding } from './set-seeding.js';
import { setTrackers } from './set-trackers.js';
import { setLabels } from './set-labels.js';

/** In the order in which they are done: first what the engine may yet refuse. */
const PARTS: readonly Part[] = [
  setTrackers,
  setFiles,
  setLabels,
  setSeeding,
  setSpeeds,
  setPeerLimit,
  setSequential,
  setLocation,
];

export const setMethods = { 'torrent-set': changing(setTorrents) } as const satisfies MethodTable;

/** @throws RequestError `BODY_INVALID`, `TORRENT_REFUSED` */
async function setTorrents(call: Call): Promise<Result> {
  const judges = PARTS.flatMap((part) => part(call) ?? []);
  const position = positionIn(call);
  const ids = idsToChange(call, 'editor');
  const changes = new Map<TorrentId, readonly Change[]>();
  const judge = async (torrent: TorrentContext) => {
    changes.set(torrent.torrent.id, await Promise.all(judges.map((judge) => judge(torrent))));
  };
  assertDone(await doToEach(ids, { access: 'editor', run: judge }, call));
  const run = async (torrent: TorrentContext) => {
    for (const change of changes.get(torrent.torrent.id) ?? []) await change(torrent);
  };
  assertDone(await doToEach(ids, { access: 'editor', run }, call));
  if (position !== undefined) assertDone(await actOnEach(ids, { action: 'queue_move', to: position }, call));
  return {};
}

function positionIn({ args }: Call): number | undefined {
  const position = args.integer('queue_position');
  if (position !== undefined && position < 0) {
    throw new RequestError('BODY_INVALID', 'queue_position: must not be negative');
  }
  return position;
}

function setSequential({ args }: Call): Judge | null {
  const isWanted = args.flag('sequential_download');
  if (isWanted === undefined) return null;
  return () =>
    ({ services, share }) =>
      services.library.setSequential(share, isWanted);
}

/** The torrent is pointed at what lies there. */
function setLocation({ args }: Call): Judge | null {
  const location = args.text('location');
  if (location === undefined) return null;
  const path = absolutePath(location, 'new location path');
  return () =>
    ({ services, principal, share, torrent }) =>
      services.moving.move(principal.account, share, torrent, { path, existing: true });
}
