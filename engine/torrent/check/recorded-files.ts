// The files of a torrent that comes from another program, held against what that program had recorded of them. What fits is had
// on trust without being hashed, and hashed before anything of it goes out (`piece-proofs.ts`); files that do not fit are
// checked; a wanted file that has gone is told as missing, and nothing of it is fetched again unasked.
import type { RecordedTimes } from '../../../shared-protocol/recorded-state.js';
import type { ResumeRow, TorrentRow } from '../../../storage/types.js';
import type { FilePriority, FileState } from '../../disk/types.js';
import type { TorrentFile, TorrentInfo } from '../../metainfo/types.js';
import type { Content } from '../files/content.js';
import { Bitfield } from '../pieces/bitfield.js';
import { verifiedBytesOf, verifiedEnd } from '../pieces/measure-progress.js';
import { TorrentProgress } from '../pieces/progress.js';
import { buildResumeRow } from '../resume/resume-row.js';
import type { TorrentServices } from '../session-interface.js';
import { piecesOfFiles } from './check-scope.js';

/** Other programs keep whole seconds, and file systems what they can. */
const TIME_SLACK_MS = 1_000;

export interface RecordedVerdict {
  readonly pieces: Bitfield;
  /** Files, by index, that are to be hashed. */
  readonly doubtful: readonly number[];
  /** Wanted files, by index, that are not there: what was had of them is still among the pieces, so that it is missed. */
  readonly missing: readonly number[];
}

/** Pure. */
export function judgeRecorded(
  info: TorrentInfo,
  priorities: readonly FilePriority[],
  had: Bitfield,
  times: RecordedTimes | null,
  found: readonly FileState[],
  unixMs: number,
): RecordedVerdict {
  const doubtful: number[] = [];
  const missing: number[] = [];
  const skipped: number[] = [];
  for (const file of info.files) {
    const { index, offset, sizeBytes, isPad } = file;
    if (isPad || verifiedBytesOf(info, had, offset, sizeBytes) === 0) continue;
    const state = found[index];
    if (!state || state.sizeBytes === null) (priorities[index] === 'skip' ? skipped : missing).push(index);
    else if (!fits(info, had, file, state, times, unixMs)) doubtful.push(index);
  }
  const pieces = new Bitfield(info.pieceCount, had.bytes);
  const cleared = piecesOfFiles(info, [...doubtful, ...skipped]);
  for (let piece = 0; piece < info.pieceCount; piece++) if (cleared.has(piece)) pieces.clear(piece);
  return { pieces, doubtful, missing };
}

function fits(
  info: TorrentInfo,
  had: Bitfield,
  { index, offset, sizeBytes }: TorrentFile,
  state: FileState,
  times: RecordedTimes | null,
  unixMs: number,
): boolean {
  const size = state.sizeBytes ?? 0;
  if (size < verifiedEnd(info, had, offset, sizeBytes) || size > sizeBytes || state.mtimeMs > unixMs) return false;
  const seconds = times?.seconds[index] ?? null;
  if (seconds === null) return true;
  const lateMs = state.mtimeMs - seconds * 1_000;
  return times?.kind === 'latest' ? lateMs <= TIME_SLACK_MS : Math.abs(lateMs) <= TIME_SLACK_MS;
}

/** Pieces and the change of the row, both stored. */
export interface Recorded extends RecordedVerdict {
  readonly change: Partial<TorrentRow>;
}

/** Looks at the files of a torrent of which no more is stored than another program's record; once. */
export async function takeRecorded(
  { clock, store }: Pick<TorrentServices, 'clock' | 'store'>,
  row: TorrentRow,
  { info, priorities }: Content,
  resume: ResumeRow,
  found: readonly FileState[],
): Promise<Recorded> {
  const had = new Bitfield(info.pieceCount, resume.have);
  const verdict = judgeRecorded(info, priorities, had, resume.fileTimes ?? null, found, clock.unixMs());
  const { pieces, doubtful, missing } = verdict;
  const ledger = new TorrentProgress(row, resume);
  ledger.trust(info, priorities, pieces);
  const gone = new Set(missing);
  const states = found.map((state, index) =>
    gone.has(index) ? { sizeBytes: info.files[index]!.sizeBytes, mtimeMs: 0 } : state,
  );
  const inDoubt = piecesOfFiles(info, [...doubtful, ...missing]);
  const partial = (resume.partial ?? []).filter(({ piece }) => !inDoubt.has(piece));
  const kept = { trusted: pieces.count > 0 ? pieces.bytes : null, recent: [], partial };
  const { activeSeconds, seedingSeconds } = resume;
  const change = {
    skipCheck: null,
    ...(doubtful.length > 0 && { pendingCheck: doubtful }),
    completedAt: ledger.isComplete ? (row.completedAt ?? Math.floor(clock.unixMs() / 1_000)) : null,
  };
  const taken = {
    ...buildResumeRow(pieces.bytes, ledger.numbers(), states, clock.unixMs(), kept),
    ...(activeSeconds !== undefined && { activeSeconds }),
    ...(seedingSeconds !== undefined && { seedingSeconds }),
  };
  await store.change(row.id, { row: change, claims: new Map(), resume: taken });
  return { ...verdict, change };
}
