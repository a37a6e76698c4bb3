// Opens what some pieces lie in, so that hashing threads may read the descriptors. Each file is opened and measured
// once, however many of the pieces lie in it; nothing is created.
import type { PieceSpan } from '../hashing/types.js';
import type { TorrentFile } from '../metainfo/types.js';
import { isAbsent, isRefusedPath } from './errors.js';
import type { FileLayout, Segment } from './file-layout.js';
import type { FilePool } from './file-pool.js';
import type { PayloadFiles, PinnedFile } from './payload-files.js';
import type { PartFile } from './part-file.js';
import type { Place, Placement } from './placement.js';
import type { PinnedSpans } from './types.js';

export interface PinDeps {
  readonly pool: FilePool;
  readonly layout: FileLayout;
  readonly own: PayloadFiles;
  readonly part: PartFile;
  readonly placement: Placement;
}

/** Where a file's bytes are: `shift` turns a position in the file into one behind the descriptor. */
interface Source extends PinnedFile {
  readonly place: Place;
  readonly shift: number;
}

/** @throws AppError what opening a file throws; a file that is absent, short or not one of ours is a `missing` span instead */
export async function pinSpans(deps: PinDeps, first: number, count: number): Promise<PinnedSpans> {
  const sources = new Map<number, Source | null>();
  const release = (): void => {
    for (const source of sources.values()) if (source) deps.pool.release(source.open);
    sources.clear();
  };
  try {
    const pieces: PieceSpan[][] = [];
    for (let piece = first; piece < first + count; piece++) {
      const { offset, length } = deps.layout.pieceRange(piece);
      const spans: PieceSpan[] = [];
      for (const segment of deps.layout.segments(offset, length)) spans.push(await spanOf(deps, sources, segment));
      pieces.push(spans);
    }
    return { pieces, release };
  } catch (error) {
    release();
    throw error;
  }
}

async function spanOf(deps: PinDeps, sources: Map<number, Source | null>, segment: Segment): Promise<PieceSpan> {
  const { file, position, length } = segment;
  if (file.isPad) return { kind: 'zeroes', length };
  let source = sources.get(file.index);
  if (source === undefined) {
    source = await open(deps, file);
    sources.set(file.index, source);
  }
  const isHere =
    source !== null &&
    position + length <= source.sizeBytes &&
    (source.place === 'own' || deps.part.holdsRange(file.offset + position, length));
  if (!source || !isHere) return { kind: 'missing', length };
  const { open: pinned, shift, isSparse } = source;
  return { kind: 'file', fd: pinned.fd, position: position + shift, length, isSparse };
}

async function open(deps: PinDeps, file: TorrentFile): Promise<Source | null> {
  try {
    if ((await deps.placement.placeOf(file)) === 'own')
      return { place: 'own', ...(await deps.own.pin(file)), shift: 0 };
    if (!deps.part.holdsFile(file.index)) return null;
    const open = await deps.part.pin('pin');
    // What it holds of a file it was given: it is not looked through for holes.
    return { place: 'part', open, shift: file.offset, sizeBytes: file.sizeBytes, isSparse: false };
  } catch (error) {
    // What stands in its place is no file of ours.
    if (isAbsent(error) || isRefusedPath(error)) return null;
    throw error;
  }
}
