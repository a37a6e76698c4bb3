// Where addresses come from, as a set in one number, and how much each source is worth.
import type { PeerSource } from '../../../shared-protocol/peer-facts.js';

export type { PeerSource };

/** A set of sources: the sum of their bits. */
export type SourceMask = number;

const BITS: Readonly<Record<PeerSource, number>> = {
  manual: 1,
  magnet: 2,
  tracker: 4,
  pex: 8,
  dht: 16,
  lsd: 32,
  incoming: 64,
  resume: 128,
};

/**
 * Lower is better. A person's word first; then the local network, which is fast; then who keeps a list of this very
 * torrent; then what any peer may claim (DHT and PEX), and last the port that a stranger says it listens on.
 */
const RANKS: Readonly<Record<PeerSource, number>> = {
  manual: 0,
  lsd: 1,
  tracker: 2,
  magnet: 2,
  resume: 3,
  dht: 3,
  pex: 3,
  incoming: 4,
};

// The keys of a Record<PeerSource, …> are exactly the sources.
export const ALL_SOURCES = Object.keys(BITS) as readonly PeerSource[];

/** The rank of every set, computed once: a set is as good as its best source. */
const RANK_OF_MASK = Uint8Array.from({ length: 256 }, (_, mask) =>
  Math.min(...ALL_SOURCES.filter((source) => mask & BITS[source]).map((source) => RANKS[source]), 255),
);

export function maskOf(...sources: readonly PeerSource[]): SourceMask {
  return sources.reduce((mask, source) => mask | BITS[source], 0);
}

export function sourcesIn(mask: SourceMask): PeerSource[] {
  return ALL_SOURCES.filter((source) => mask & BITS[source]);
}

export function rankOf(mask: SourceMask): number {
  return RANK_OF_MASK[mask]!;
}
