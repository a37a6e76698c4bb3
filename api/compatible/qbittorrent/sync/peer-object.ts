// A connected peer as `sync/torrentPeers` shows it. Pure.
import type { PeerDetail } from '../../../../shared-protocol/commands.js';
import type { Countries } from '../../../services/library/countries.js';

/** The letters of `PeerDetail.flags`, in qBittorrent's words. */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['d', 'interested (local) and choked (peer)'],
  ['D', 'interested (local) and unchoked (peer)'],
  ['u', 'interested (peer) and choked (local)'],
  ['U', 'interested (peer) and unchoked (local)'],
  ['K', 'not interested (local) and unchoked (peer)'],
  ['?', 'not interested (peer) and unchoked (local)'],
  ['E', 'encrypted traffic'],
  ['I', 'incoming connection'],
  ['H', 'peer from DHT'],
  ['X', 'peer from PEX'],
  ['L', 'peer from LSD'],
  ['P', 'µTP'],
]);

export type PeerObject = ReturnType<typeof peerObject>;

/** Speeds: bytes per second. What a connection has moved so far is not counted by itself. */
export function peerObject(peer: PeerDetail, countries: Countries) {
  const { host, port, client, flags, progress, downloadRate, uploadRate } = peer;
  const country = countries.of(host);
  return {
    ip: host,
    port,
    client,
    peer_id_client: '',
    connection: flags.includes('P') ? 'μTP' : 'BT',
    country: countryName(country),
    country_code: country.toLowerCase(),
    dl_speed: Math.round(downloadRate),
    up_speed: Math.round(uploadRate),
    downloaded: 0,
    uploaded: 0,
    flags: [...flags].join(' '),
    flags_desc: flagsInWords(flags),
    progress,
    relevance: 0,
    files: '',
  };
}

function flagsInWords(flags: string): string {
  return [...flags].flatMap((flag) => (MEANINGS.has(flag) ? `${flag} = ${MEANINGS.get(flag)}` : [])).join('\n');
}

const NO_COUNTRY = 'N/A';
const NAMES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** `code`: ISO 3166 alpha-2, or empty. */
function countryName(code: string): string {
  return (/^[A-Z]{2}$/.test(code) && NAMES.of(code)) || NO_COUNTRY;
}
