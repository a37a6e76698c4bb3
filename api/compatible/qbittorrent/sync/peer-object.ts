// A connected peer as `sync/torrentPeers` shows it. Pure.
import type { PeerDetail } from '../../../../shared-protocol/commands/details.js';
import type { Countries } from '../../../services/library/countries.js';
import { flagsOf } from './peer-flags.js';

const NO_COUNTRY = 'N/A';
const NAMES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

export type PeerObject = ReturnType<typeof peerObject>;

/** Speeds: bytes per second. */
export function peerObject(peer: PeerDetail, countries: Countries) {
  const country = countries.of(peer.host);
  const flags = flagsOf(peer.facts);
  return {
    ip: peer.host,
    port: peer.port,
    client: peer.client,
    peer_id_client: '',
    connection: 'BT',
    country: countryName(country),
    country_code: country.toLowerCase(),
    dl_speed: Math.round(peer.downloadRate),
    up_speed: Math.round(peer.uploadRate),
    downloaded: peer.bytesDown,
    uploaded: peer.bytesUp,
    flags: flags.map(([letter]) => letter).join(' '),
    flags_desc: flags.map(([letter, meaning]) => `${letter} = ${meaning}`).join('\n'),
    progress: peer.progress,
    relevance: peer.relevance,
    files: '',
  };
}

/** `code`: ISO 3166 alpha-2, or empty. */
function countryName(code: string): string {
  return (/^[A-Z]{2}$/.test(code) && NAMES.of(code)) || NO_COUNTRY;
}
