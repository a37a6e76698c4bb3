// The link by which others can add a torrent (BEP 9), as an account is shown it: written when a list is encoded, as it
// takes half as much memory again as what it is made of. No longer than what a list has room for: of many trackers the
// first are in it.
import type { Access } from '../../../shared-protocol/dto/torrents.js';
import type { TorrentFacts } from '../../../shared-protocol/events.js';
import { MAX_MAGNET_TRACKER_CHARS } from '../../../shared-protocol/torrent-bounds.js';
import { maskMagnet } from '../../../shared-protocol/masking.js';

type MagnetFacts = Pick<TorrentFacts, 'id' | 'name' | 'trackers' | 'isPrivate'>;

const TRACKER = '&tr=';

/** The link as the account is shown it: viewers see no passkeys. `room`: characters that the trackers may take. */
export function shownMagnet(facts: MagnetFacts, access: Access, room = MAX_MAGNET_TRACKER_CHARS): string {
  const whole = formatMagnet(facts, room);
  if (access !== 'viewer') return whole;
  const masked = maskMagnet(whole, facts.isPrivate);
  // A mask may be longer than what it hides.
  return cutTrackers(masked, Math.max(0, whole.indexOf(TRACKER)) + room);
}

/** The link with its trackers, as many as there is room for. Tiers are lost, their order is not. */
export function formatMagnet(
  { id, name, trackers }: Omit<MagnetFacts, 'isPrivate'>,
  room = MAX_MAGNET_TRACKER_CHARS,
): string {
  let magnet = `magnet:?xt=urn:btih:${id}`;
  // encodeURIComponent throws on lone surrogates.
  if (name !== '') magnet += `&dn=${encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\ufffd'))}`;
  if (trackers === '') return magnet;
  const end = magnet.length + room;
  for (const url of trackers.split('\n')) {
    const parameter = TRACKER + encodeURIComponent(url);
    if (magnet.length + parameter.length > end) break;
    magnet += parameter;
  }
  return magnet;
}

function cutTrackers(magnet: string, maxLength: number): string {
  if (magnet.length <= maxLength) return magnet;
  const cut = magnet.lastIndexOf(TRACKER, maxLength);
  return cut < 0 ? magnet : magnet.slice(0, cut);
}
