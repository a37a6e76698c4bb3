// What a person looks at of one torrent: the parts that were asked for, and no others.
import type { DetailPart, TorrentDetails } from '../../shared-protocol/commands.js';

/** How each part is made, when it is asked for. */
export type DetailSources = { readonly [Part in DetailPart]: () => NonNullable<TorrentDetails[Part]> };

export function torrentDetails(parts: readonly DetailPart[], sources: DetailSources): TorrentDetails {
  return {
    ...(parts.includes('files') ? { files: sources.files() } : {}),
    ...(parts.includes('peers') ? { peers: sources.peers() } : {}),
    ...(parts.includes('trackers') ? { trackers: sources.trackers() } : {}),
  };
}
