// torrents/files: asked for and written a thousand at a time, so that the list of a large torrent keeps nobody waiting.
import type { FileDetail, FilePiecesDetail, FilePriority } from '../../../../shared-protocol/commands.js';
import { conflict } from '../answers.js';
import type { Answer, Call } from '../row.js';
import { Reply } from '../../../routes/reply.js';
import type { OneTorrent } from './one-torrent.js';

const FILES_AT_A_TIME = 1_000;
const PRIORITIES: Readonly<Record<FilePriority, number>> = { skip: 0, normal: 1, high: 6, max: 7 };
/** In place of the availability of files while nothing is downloaded. */
const UNKNOWN = -1;

/** `indexes`: of the files that are wanted, joined with `|`; left out: all. */
export async function files({ services, share, fields }: OneTorrent): Promise<Answer> {
  const { missing, malformed } = indexesIn(fields);
  if (malformed !== null) return conflict(`indexes: ${JSON.stringify(malformed)} is no index of a file`);
  const isAll = missing.size === 0;
  const parts: string[] = [];
  for (let from = 0, total = 1; from < total; from += FILES_AT_A_TIME) {
    const wanted = { from, count: FILES_AT_A_TIME };
    const details = await services.library.inspect(share, { parts: ['files', 'filePieces'], files: wanted });
    const list = details.files ?? [];
    total = details.filesGiven?.total ?? list.length;
    const objects = list.map((file, place) => toFileObject(file, place, from + place === 0, details.filePieces));
    const shown = isAll ? objects : objects.filter(({ index }) => missing.delete(index));
    if (shown.length > 0) parts.push(JSON.stringify(shown).slice(1, -1));
  }
  const [unknown] = missing;
  if (unknown !== undefined) return conflict(`indexes: there is no file ${unknown}`);
  return new Reply(Buffer.from(`[${parts.join(',')}]`), { 'Content-Type': 'application/json' });
}

/** `missing`: still to be found. */
function indexesIn(fields: Call['fields']): { readonly missing: Set<number>; readonly malformed: string | null } {
  const named = fields.list('indexes', '|');
  const malformed = named.find((text) => !/^\d{1,9}$/.test(text)) ?? null;
  return { missing: new Set(malformed === null ? named.map(Number) : []), malformed };
}

/** `place`: in the part of the list that was asked for. qBittorrent tells of the first file alone whether all are there. */
function toFileObject(file: FileDetail, place: number, isFirst: boolean, pieces: FilePiecesDetail | undefined) {
  const { index, path, sizeBytes, bytesDone, priority } = file;
  return {
    index,
    name: path,
    size: sizeBytes,
    progress: sizeBytes === 0 ? 1 : bytesDone / sizeBytes,
    priority: PRIORITIES[priority],
    ...(isFirst && { is_seed: bytesDone === sizeBytes }),
    piece_range: [pieces?.first[place] ?? 0, pieces?.last[place] ?? 0],
    availability: pieces?.availability?.[place] ?? UNKNOWN,
  };
}
