// torrents/files: written as the files come, so that the list of a large torrent keeps no other request waiting.
import type { FileDetail, FilePiecesDetail, FilePriority } from '../../../../shared-protocol/commands/details.js';
import { conflict } from '../answers.js';
import type { Answer, Call } from '../row.js';
import { Reply } from '../../../routes/reply.js';
import type { OneTorrent } from './one-torrent.js';

const PRIORITIES: Readonly<Record<FilePriority, number>> = { skip: 0, normal: 1, high: 6, max: 7 };
/** In place of the availability of files while nothing is downloaded. */
const UNKNOWN = -1;

/** `indexes`: of the files that are wanted, joined with `|`; left out: all. */
export async function files({ services, share, torrent, fields }: OneTorrent): Promise<Answer> {
  const { missing, malformed } = indexesIn(fields);
  if (malformed !== null) return conflict(`indexes: ${JSON.stringify(malformed)} is no index of a file`);
  const isAll = missing.size === 0;
  const texts: string[] = [];
  let isFirst = true;
  for await (const { files: list, pieces } of services.fileListParts.of(share, torrent)) {
    const objects = list.map((file, place) => toFileObject(file, place, isFirst && place === 0, pieces));
    isFirst = false;
    const shown = isAll ? objects : objects.filter(({ index }) => missing.delete(index));
    if (shown.length > 0) texts.push(JSON.stringify(shown).slice(1, -1));
  }
  const [unknown] = missing;
  if (unknown !== undefined) return conflict(`indexes: there is no file ${unknown}`);
  return new Reply(Buffer.from(`[${texts.join(',')}]`), { 'Content-Type': 'application/json' });
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
