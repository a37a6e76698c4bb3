// A torrent's files and pieces, and what its torrent file says of itself. A file is known by its place in the list, in which pad files (BEP 47) are not.
import type { FileDetail, FilePriority, PiecesDetail } from '../../../../shared-protocol/commands/details.js';
import type { Columns, View } from './view.js';

const PRIORITIES: { readonly [Name in FilePriority]: number } = { skip: 0, normal: 0, high: 1, max: 1 };
const ALREADY_THERE = -1;

const files = () => 'files' as const;
const metainfo = () => 'metainfo' as const;
const pieces = () => 'pieces' as const;

export const filesColumns = {
  'file-count': { needs: files, of: (view) => filesOf(view).length },
  files: {
    needs: files,
    of: (view) =>
      filesOf(view).map(({ path, sizeBytes, bytesDone }) => ({
        bytesCompleted: bytesDone,
        length: sizeBytes,
        name: path,
      })),
  },
  fileStats: {
    needs: files,
    of: (view) =>
      filesOf(view).map(({ bytesDone, priority }) => ({
        bytesCompleted: bytesDone,
        wanted: priority !== 'skip',
        priority: PRIORITIES[priority],
      })),
  },
  priorities: { needs: files, of: (view) => filesOf(view).map(({ priority }) => PRIORITIES[priority]) },
  wanted: { needs: files, of: (view) => filesOf(view).map(({ priority }) => (priority === 'skip' ? 0 : 1)) },

  comment: { needs: metainfo, of: ({ details }) => details.metainfo?.comment ?? '' },
  creator: { needs: metainfo, of: ({ details }) => details.metainfo?.createdBy ?? '' },
  dateCreated: { needs: metainfo, of: ({ details }) => details.metainfo?.createdAt ?? 0 },
  pieceCount: { needs: metainfo, of: ({ details }) => details.metainfo?.pieceCount ?? 0 },
  pieceSize: { needs: metainfo, of: ({ details }) => details.metainfo?.pieceLength ?? 0 },
  pieces: { needs: pieces, of: ({ details }) => base64Of(details.pieces) },
  availability: { needs: pieces, of: ({ details }) => (details.pieces ? availabilityOf(details.pieces) : []) },
} as const satisfies Columns;

function filesOf({ details }: View): readonly FileDetail[] {
  return details.files ?? [];
}

function base64Of(detail: PiecesDetail | undefined): string {
  if (!detail) return '';
  const { buffer, byteOffset, byteLength } = detail.have;
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

/** How many peers have each piece that is not there yet. */
function availabilityOf({ pieceCount, have, availability }: PiecesDetail): number[] {
  return Array.from({ length: pieceCount }, (_piece, index) => {
    const isThere = ((have[index >> 3] ?? 0) & (0x80 >> (index & 7))) !== 0;
    return isThere ? ALREADY_THERE : (availability?.[index] ?? 0);
  });
}
