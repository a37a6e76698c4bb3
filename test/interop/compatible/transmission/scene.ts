// What the steps of @ctrl/transmission look at.
import { sampleOf } from '../../../support/compatible/samples.js';
import { settled, type Side } from '../../../support/compatible/side-by-side.js';
import { seededBytes } from '../../../support/make-torrent.js';

export type Fields = Readonly<Record<string, unknown>>;
export type Named = 'alpha' | 'beta' | 'gamma';

/** Nothing of it but its magnet link is anywhere. */
export const DELTA = sampleOf('delta', seededBytes(9, 1_000), 'http://127.0.0.1:9/announce');
export const NONE = 'f'.repeat(40);
/** RPC specification: `tr_torrent_activity`. */
export const STATUS = { stopped: 0, downloading: 4, seeding: 6 } as const;

export function pick(from: unknown, ...names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, (from as Fields)[name]]));
}

/** Of an answer: its `result` and its `arguments`. */
export function told(answer: unknown): Fields {
  return pick(answer, 'result', 'arguments');
}

/** The torrent as `torrent-get` shows it, with the fields that the client asks for besides its own. */
export async function rawOf({ client }: Side, hash: string, ...more: readonly string[]): Promise<Fields> {
  const answer = (await client['listTorrents']!(hash, more)) as { readonly arguments: { readonly torrents: Fields[] } };
  return answer.arguments.torrents[0] ?? { status: 'not there' };
}

export function torrentOf(
  side: Side,
  hash: string,
  isMet: (torrent: Fields) => boolean,
  ...more: readonly string[]
): Promise<Fields> {
  return settled(() => rawOf(side, hash, ...more), isMet);
}
