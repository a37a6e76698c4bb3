// What the steps of @ctrl/qbittorrent look at.
import { sampleOf } from '../../../support/compatible/samples.js';
import { settled, type Side } from '../../../support/compatible/side-by-side.js';
import { seededBytes } from '../../../support/make-torrent.js';

export type Fields = Readonly<Record<string, unknown>>;
export type Named = 'alpha' | 'beta' | 'gamma';

/** Nothing of it but its magnet link is anywhere. */
export const DELTA = sampleOf('delta', seededBytes(9, 1_000), 'http://127.0.0.1:9/announce');

export function pick(from: unknown, ...names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, (from as Fields)[name]]));
}

/** The torrent's object in `torrents/info`; what qBittorrent 4 calls paused is stopped since. */
export async function rawOf({ client }: Side, hash: string): Promise<Fields> {
  const [torrent] = (await client['listTorrents']!({ hashes: hash })) as Fields[];
  if (!torrent) return { state: 'not there' };
  return { ...torrent, state: String(torrent['state']).replace('paused', 'stopped') };
}

export function torrentOf(side: Side, hash: string, isMet: (torrent: Fields) => boolean): Promise<Fields> {
  return settled(() => rawOf(side, hash), isMet);
}

export const isSeeding = ({ state }: Fields) => /^(stalledUP|uploading)$/.test(String(state));
export const isStopped = ({ state }: Fields) => /^stopped(UP|DL)$/.test(String(state));
