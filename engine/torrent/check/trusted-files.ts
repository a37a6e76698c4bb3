// Files that were there before their torrent, taken for what they should be without being hashed: only where all that are
// wanted have the very sizes of the metainfo and times that are not in the future, as the torrent may claim them (a file
// that it may not is as good as absent, see `engine/claims/`). What is trusted so is announced, and hashed before the first byte of
// it goes out (`piece-proofs.ts`); else all of it is checked as usual.
import type { TorrentRow } from '../../../storage/types.js';
import type { FilePriority, FileState } from '../../disk/types.js';
import type { TorrentInfo } from '../../metainfo/types.js';
import type { Content } from '../files/content.js';
import { Bitfield } from '../pieces/bitfield.js';
import { TorrentProgress } from '../pieces/progress.js';
import { buildResumeRow } from '../resume/resume-row.js';
import type { TorrentServices } from '../session-interface.js';
import { piecesOfFiles } from './check-scope.js';

type TrustServices = Pick<TorrentServices, 'clock' | 'disk' | 'store'>;

const NO_TRUST = { skipCheck: null };

/** The pieces that lie in files which fit; null: a wanted file does not. Pure. */
export function trustedPieces(
  info: TorrentInfo,
  priorities: readonly FilePriority[],
  found: readonly FileState[],
  unixMs: number,
): Bitfield | null {
  const fits = (index: number, sizeBytes: number): boolean => {
    const state = found[index];
    // By its name it is not whole, whatever its size: it may have been given that before its bytes came.
    return state?.sizeBytes === sizeBytes && state.mtimeMs <= unixMs && !state.isIncomplete;
  };
  const unfit = info.files.filter(({ index, sizeBytes, isPad }) => !isPad && sizeBytes > 0 && !fits(index, sizeBytes));
  if (unfit.some(({ index }) => priorities[index] !== 'skip')) return null;
  const pieces = new Bitfield(info.pieceCount);
  pieces.fill();
  const inDoubt = piecesOfFiles(
    info,
    unfit.map(({ index }) => index),
  );
  for (let piece = 0; piece < info.pieceCount; piece++) if (inDoubt.has(piece)) pieces.clear(piece);
  return pieces.count > 0 ? pieces : null;
}

/** Pieces and the change of the row, both stored. */
export interface Trust {
  /** null: what lies there has to be checked. */
  readonly pieces: Bitfield | null;
  readonly change: Partial<TorrentRow>;
}

/** Looks at the files of a torrent that asks for it, of which nothing is recorded; never again afterwards. */
export async function takeOnTrust(services: TrustServices, row: TorrentRow, content: Content): Promise<Trust> {
  const { clock, disk, store } = services;
  const { info, priorities, storage } = content;
  const unixMs = clock.unixMs();
  const isHere = await disk.savePaths.isHere(row.savePath);
  const found = isHere ? await storage.fileStates() : [];
  const pieces = isHere ? trustedPieces(info, priorities, found, unixMs) : null;
  if (!pieces) {
    await store.update(row.id, NO_TRUST);
    return { pieces, change: NO_TRUST };
  }
  const ledger = new TorrentProgress(row, undefined);
  ledger.trust(info, priorities, pieces);
  const isCompleted = ledger.isComplete && row.completedAt === null;
  const change = { ...NO_TRUST, ...(isCompleted && { completedAt: Math.floor(unixMs / 1000) }) };
  const kept = { trusted: pieces.bytes, recent: [], partial: [] };
  const resume = buildResumeRow(pieces.bytes, ledger.numbers(), found, unixMs, kept);
  await store.change(row.id, { row: change, claims: new Map(), resume });
  return { pieces, change };
}
