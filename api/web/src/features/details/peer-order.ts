// The order of the peers, and what their flags mean. Pure.
import type { PeerDto } from '../../../../../shared-protocol/dto/inspector.js';
import type { TextKey } from '../../strings/index.js';

export const PEER_KEYS = [
  'address',
  'client',
  'country',
  'flags',
  'progress',
  'down',
  'up',
  'totalDown',
  'totalUp',
] as const;
export type PeerKey = (typeof PEER_KEYS)[number];

export interface PeerSort {
  readonly key: PeerKey;
  readonly descending: boolean;
}

const COLLATOR = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

const VALUES: Readonly<Record<PeerKey, (peer: PeerDto) => string | number>> = {
  address: keyOf,
  client: ({ client }) => client,
  country: ({ country }) => country,
  flags: ({ flags }) => flags,
  progress: ({ progress }) => progress,
  down: ({ download_rate }) => download_rate,
  up: ({ upload_rate }) => upload_rate,
  totalDown: ({ total_down }) => total_down,
  totalUp: ({ total_up }) => total_up,
};

/** Returns what a peer is told apart by. */
export function keyOf({ ip, port }: Pick<PeerDto, 'ip' | 'port'>): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

/** Keys in order. `still`: an order that is to be kept; who is new comes behind it. */
export function orderPeers(peers: readonly PeerDto[], { key, descending }: PeerSort, still: readonly string[] | null) {
  const value = VALUES[key];
  const sorted = [...peers].sort((a, b) => {
    const [left, right] = [value(a), value(b)];
    const by =
      typeof left === 'string' || typeof right === 'string'
        ? COLLATOR.compare(String(left), String(right))
        : left - right;
    return (descending ? -by : by) || COLLATOR.compare(keyOf(a), keyOf(b));
  });
  const keys = sorted.map(keyOf);
  if (!still) return keys;
  const [there, before] = [new Set(keys), new Set(still)];
  return [...still.filter((each) => there.has(each)), ...keys.filter((each) => !before.has(each))];
}

/** The flags that have a meaning: of the transfer first, then where the peer comes from, then how it is connected. */
export const ALL_FLAGS = 'DdKUu?OSIXHLEeP';

/** The texts of the letters; those that are not known say nothing. */
export function meaningsOf(flags: string): readonly { readonly letter: string; readonly text: TextKey }[] {
  return [...flags].flatMap((letter) => {
    if (letter === '?') return [{ letter, text: 'details.peers.flag.ask' as const }];
    // One of the names of the record of texts: that is what the letters above are.
    return ALL_FLAGS.includes(letter) ? [{ letter, text: `details.peers.flag.${letter}` as TextKey }] : [];
  });
}
