// One step of a move between servers, decided by what both ends show at the moment and never by what was done last: whoever
// dies in between, the next look goes on from what is there. Owns the order: the source goes only after the copy was seen to
// be whole, and to be known to a tracker where there are any.
import type { TorrentDto } from '../../../shared-protocol/dto/torrents.js';
import type { MoveChange, StoredMove } from './move-records.js';
import { Refused, type ServerEnd } from './servers.js';

/** Seconds without a byte. */
const STUCK_AFTER = 24 * 3_600;
/** Seconds that trackers have to take the new place: two announces of a tracker that fails once. */
const UNANNOUNCED_AFTER = 10 * 60;

export interface Ends {
  readonly source: ServerEnd;
  readonly target: ServerEnd;
}

/** The change that is to be stored of it. @throws RequestError for what is to be tried again; Refused */
export async function step(move: StoredMove, ends: Ends, now: number): Promise<MoveChange> {
  if (move.giving_up) return giveUp(move, ends, move.giving_up, now);
  switch (move.state) {
    case 'copying':
      return copy(move, ends, now);
    case 'verifying':
      return verify(ends, now);
    case 'switching':
      return switchOver(move, ends, now);
    case 'done':
    case 'failed':
      return {};
  }
}

async function copy(move: StoredMove, { source, target }: Ends, now: number): Promise<MoveChange> {
  const [there, here] = [await target.look(), await source.look()];
  if (there && move.tiers !== null && isComplete(there))
    return { state: 'verifying', reason: null, ...bytesOf(there), progressed_at: now };
  if (!here) return fails(`the torrent is gone from ${source.name}`);
  // Before there is a copy: what was not stored when the process died would be lost with the source.
  if (move.tiers === null) return { tiers: await source.tiers() };
  if (!there) return add(move, { source, target }, here, now);
  if (there.error) return { reason: `${target.name}: ${there.error.message}` };
  if (there.paused) {
    // Before it runs: no tracker is to hear of it yet.
    if (isQuiet(move)) await target.setTiers([]);
    await target.resume();
  }
  if (move.was_paused && here.paused) await source.resume();
  if (there.peers === 0) await introduce({ source, target });
  const isMoving = there.bytes_done > move.bytes_done;
  if (!isMoving && now - move.progressed_at > STUCK_AFTER) return fails('nothing came for a day');
  return { reason: null, ...bytesOf(there), ...(isMoving ? { progressed_at: now } : {}) };
}

async function add(move: StoredMove, { source, target }: Ends, here: TorrentDto, now: number): Promise<MoveChange> {
  const labels = await source.labelsOf(here);
  await target.add(await source.torrentFile(), move.save_path, labels);
  return { progressed_at: now };
}

/** Makes them peers of each other: neither is told of the other by a tracker or by the DHT. */
async function introduce({ source, target }: Ends): Promise<void> {
  let refused: Refused | null = null;
  let isKnown = false;
  for (const [end, other] of [
    [target, source],
    [source, target],
  ] as const) {
    const addresses = await other.peerAddresses();
    if (addresses.length === 0) continue;
    isKnown = true;
    try {
      await end.addPeers(addresses);
      return;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused = error;
    }
  }
  if (refused) throw refused;
  if (!isKnown) throw new Refused(403, 'neither server tells the port of its peers: that needs perm_change_settings');
}

async function verify({ target }: Ends, now: number): Promise<MoveChange> {
  const there = await target.look();
  if (!there || !isComplete(there)) return { state: 'copying', progressed_at: now };
  if (!(await target.isWhole()))
    return fails(`${target.name} does not have all of it: some of its files are not wanted there`);
  return { state: 'switching', reason: null, ...bytesOf(there), progressed_at: now };
}

async function switchOver(move: StoredMove, { source, target }: Ends, now: number): Promise<MoveChange> {
  const [there, here] = [await target.look(), await source.look()];
  if (!there || !isComplete(there)) return copyAgain(source, here, now);
  if (!here) {
    if (move.was_paused && !move.existed && !there.paused) await target.pause();
    return { state: 'done', reason: null, ended_at: now, ...bytesOf(there) };
  }
  if (move.politeness === 'one_location' && !here.paused) {
    await source.pause();
    return { reason: `${source.name} says goodbye` };
  }
  const tiers = move.tiers ?? [];
  if (move.announced_at === 0) {
    if (isQuiet(move) && tiers.length > 0) await target.setTiers(tiers);
    if (there.paused) await target.resume();
    return { announced_at: now };
  }
  if (tiers.length > 0 && !there.tracker_works) {
    const said = there.tracker_error
      ? `${there.tracker_error.host}: ${there.tracker_error.message}`
      : 'no tracker answers';
    if (now - move.announced_at > UNANNOUNCED_AFTER) return { giving_up: { reason: said, removes_copy: false } };
    return { reason: said };
  }
  // It is asked once more: what was seen before may be older than what has become of its disk.
  if (!(await target.isWhole())) return copyAgain(source, here, now);
  await source.remove(move.delete_data);
  return { reason: null };
}

/** The source has said goodbye already, and is to give once more. */
async function copyAgain(source: ServerEnd, here: TorrentDto | null, now: number): Promise<MoveChange> {
  if (here?.paused) await source.resume();
  return { state: 'copying', announced_at: 0, progressed_at: now };
}

/** The source as it was, and the copy gone or silent. */
async function giveUp(
  move: StoredMove,
  { source, target }: Ends,
  { reason, removes_copy }: NonNullable<StoredMove['giving_up']>,
  now: number,
): Promise<MoveChange> {
  const [there, here] = [await target.look(), await source.look()];
  const ended: MoveChange = { state: 'failed', reason, ended_at: now, giving_up: null };
  // The source has gone meanwhile: the copy is all there is.
  if (!here) return there && isComplete(there) ? { ...ended, state: 'done', reason: null } : ended;
  if (there && !move.existed) {
    if (removes_copy) await target.remove(true);
    else {
      if (!there.paused) await target.pause();
      if (isQuiet(move)) await target.setTiers([]);
    }
  }
  if (move.was_paused) {
    if (!here.paused) await source.pause();
  } else if (here.paused && move.state === 'switching') await source.resume();
  return ended;
}

/** Whether trackers are not to hear of the copy: of one that was there before they have heard. */
function isQuiet({ politeness, existed }: StoredMove): boolean {
  return politeness === 'one_location' && !existed;
}

function isComplete({ completed, verifying, files_missing, total_bytes, bytes_done }: TorrentDto): boolean {
  return completed && !verifying && !files_missing && total_bytes > 0 && bytes_done === total_bytes;
}

function bytesOf({ bytes_done, total_bytes }: TorrentDto): MoveChange {
  return { bytes_done, bytes_total: total_bytes };
}

function fails(reason: string): MoveChange {
  return { giving_up: { reason, removes_copy: false } };
}
