// The `{id}` of torrent paths: an info hash, 40 hex digits (v1) or 64 (v2), in either case.
import { parseInfoHash, type TorrentId } from '../../../shared-protocol/ids.js';

export type ParsedTorrentId =
  | { readonly kind: 'id'; readonly id: TorrentId }
  /** Well formed, but the engine has no torrents of this kind. */
  | { readonly kind: 'v2' }
  | { readonly kind: 'malformed' };

export function parseTorrentId(text: string): ParsedTorrentId {
  if (/^[0-9a-fA-F]{40}$/.test(text)) return { kind: 'id', id: parseInfoHash(text) };
  return { kind: /^[0-9a-fA-F]{64}$/.test(text) ? 'v2' : 'malformed' };
}
