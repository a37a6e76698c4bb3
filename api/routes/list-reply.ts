// How a snapshot of the list is answered: the bytes that the push channel sends as well, deflated for clients that take gzip,
// and not at all for those that have them already.
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { DeflatedLists } from '../torrent-list/deflated-lists.js';
import type { ListSnapshot } from '../torrent-list/list-snapshot.js';
import { Reply } from './reply.js';
import { StreamedBody } from './streamed-body.js';

/** Smaller ones cost more than they save. */
const MIN_GZIPPED_BYTES = 1024;
const EMPTY_LIST: readonly Uint8Array[] = [Buffer.from('['), Buffer.from(']')];

const gzipBytes = promisify(gzip);

export async function listReply(
  snapshot: ListSnapshot,
  lists: Pick<DeflatedLists, 'gzip'>,
  headers: IncomingHttpHeaders,
): Promise<Reply<StreamedBody>> {
  // Weak: the same list, not the same bytes, as it may be gzipped.
  const described = { ETag: `W/"${snapshot.version}"`, Vary: 'Accept-Encoding' };
  const plain = () => new Reply(new StreamedBody(snapshot.json), described);
  if (snapshot.byteLength < MIN_GZIPPED_BYTES || !takesGzip(headers['accept-encoding'])) return plain();
  try {
    return new Reply(new StreamedBody(await lists.gzip(snapshot)), { ...described, 'Content-Encoding': 'gzip' });
  } catch {
    // A client that takes gzip takes plain bytes as well.
    return plain();
  }
}

/** The list, if it is wanted as well, and after it torrents of elsewhere: JSON of each with a comma before it. */
export async function joinedReply(
  snapshot: ListSnapshot | null,
  others: readonly Uint8Array[],
  headers: IncomingHttpHeaders,
): Promise<Reply<StreamedBody>> {
  const own = snapshot?.json ?? EMPTY_LIST;
  const [first, ...rest] = others.filter(({ length }) => length > 0);
  // Where there are no own ones, nothing stands before the first comma.
  const after = first ? [snapshot?.length ? first : first.subarray(1), ...rest] : [];
  const chunks = [...own.slice(0, -1), ...after, ...own.slice(-1)];
  const described = { Vary: 'Accept-Encoding' };
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  if (length < MIN_GZIPPED_BYTES || !takesGzip(headers['accept-encoding'])) {
    return new Reply(new StreamedBody(chunks), described);
  }
  const deflated = await gzipBytes(Buffer.concat(chunks), { level: constants.Z_BEST_SPEED });
  return new Reply(new StreamedBody([deflated]), { ...described, 'Content-Encoding': 'gzip' });
}

/** RFC 9110 section 12.5.3; whether by its name or as any coding, it must not have a weight of 0. */
function takesGzip(accepted = ''): boolean {
  const weights = new Map<string, number>();
  for (const each of accepted.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = each.split(';').map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights.set(coding, weight === undefined ? 1 : Number(weight));
  }
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
