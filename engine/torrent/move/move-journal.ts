// What is stored of a move, so that an end at any moment leaves one place that is whole and a row that names it. Each step
// is one commit: the row, the record of whose is what at both places, and the states of the files change together.
import { isDeepStrictEqual } from 'node:util';
import type { MoveRow, PathsRow, ResumeRow, TorrentRow } from '../../../storage/types.js';
import { toErrorRecord } from '../../../shared-protocol/errors.js';
import { ELSEWHERE, nothingElsewhere, partsOf } from '../../claims/index.js';
import { isRefusedPath, type Brought } from '../../disk/index.js';
import type { TorrentRecord } from '../resume/torrent-record.js';
import type { TorrentServices } from '../session-interface.js';

/** Something is left at the other place that is to go, or that has still to come. */
export function isUnfinished(move: MoveRow | null | undefined): move is MoveRow {
  return move?.phase === 'copying' || move?.phase === 'cleaning';
}

/** The save path at which the torrent does not lie, as long as the move is not over. */
export function otherPlace({ from, to, phase }: MoveRow): string {
  return phase === 'cleaning' ? from : to;
}

export function failed({ from, to, paths }: MoveRow, error: unknown, phase: MoveRow['phase']): MoveRow {
  const { code, message } = toErrorRecord(error);
  // Where a rename leads is said by who asks for it: that files may not lie there is no trouble of the disk.
  const isAskedFor = paths !== undefined && isRefusedPath(error);
  return {
    from,
    to,
    phase,
    error: { code: isAskedFor ? 'RENAME_INVALID' : code, message },
    ...(phase === 'copying' && paths && { paths }),
  };
}

/** Nothing is left of the move where the torrent does not lie: what is kept of it is its failure, if anything, or that it begins again. */
export function forget(record: TorrentRecord, fileCount: number, move: MoveRow | null): Promise<void> {
  const list = record.row.move?.paths?.pathList;
  const isKept = list === undefined || move?.paths?.pathList === list;
  return record.change({
    row: { move },
    claims: nothingElsewhere(fileCount),
    ...(!isKept && { pathLists: new Map([[list, null]]) }),
  });
}

/** The parts of a row that say where files lie below the save path, all of them. */
export function pathsOf({ folder, topNames, pathList }: PathsRow): Required<PathsRow> {
  return { folder, topNames, pathList };
}

/** Whether the files lie as these parts of a row have it. */
export function liesAt(row: PathsRow, paths: PathsRow): boolean {
  return isDeepStrictEqual(pathsOf(row), pathsOf(paths));
}

/** Doubts and claims that are stored with the switch. */
export interface SwitchState {
  /** Pieces that are claimed, with data that are synced; null: none were ever. */
  readonly resume: ResumeRow | null;
  /** Something is to be hashed which the row does not say. */
  readonly isInDoubt: boolean;
}

/** From here on the torrent lies at the new place. Returns the change of the row once it is stored. */
export async function storeSwitch(
  { store, claims }: Pick<TorrentServices, 'store' | 'claims'>,
  old: TorrentRow,
  { from, to, paths }: MoveRow,
  { before, after, states, staying }: Brought,
  { resume, isInDoubt }: SwitchState,
): Promise<Partial<TorrentRow>> {
  const move = { from, to, phase: 'cleaning' as const, ...(paths && { paths: pathsOf(old) }) };
  const doubt = isInDoubt ? { pendingCheck: 'all' as const } : {};
  // Of a rename the save path is the same: it may have another one still to go to.
  const arrived = from === to ? {} : { completePath: null };
  const row = { savePath: to, isClaimed: true as const, move, ...arrived, ...doubt, ...(paths && pathsOf(paths)) };
  const known = staying.size > 0 ? claims.recordOf(old.id, after.length) : [];
  const own = after.map((file, index) => (staying.has(index) ? (known[index] ?? file) : file));
  const files = states.map((state, index) => (staying.has(index) ? (resume?.files[index] ?? state) : state));
  await store.change(old.id, {
    row,
    claims: new Map([...partsOf(own), ...partsOf(before, ELSEWHERE)]),
    ...(resume ? { resume: { ...resume, files } } : {}),
  });
  return row;
}

/** The torrent is pointed at what lies elsewhere: nothing there is its own but what is taken over. */
export async function storePointed(
  { store }: Pick<TorrentServices, 'store'>,
  id: TorrentRow['id'],
  to: string,
  fileCount: number,
): Promise<Partial<TorrentRow>> {
  const row = { savePath: to, completePath: null, isClaimed: true as const, move: null };
  await store.change(id, { row, claims: partsOf(new Array<null>(fileCount).fill(null)) });
  return row;
}
