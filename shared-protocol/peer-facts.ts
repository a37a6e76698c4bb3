// A connected peer in facts, from which clients make letters and flags of their own.

/** Where addresses of peers come from. */
export type PeerSource = 'manual' | 'magnet' | 'tracker' | 'pex' | 'dht' | 'lsd' | 'incoming' | 'resume';

export interface PeerFlagFacts {
  readonly weAreInterested: boolean;
  /** The remote chokes us. */
  readonly chokesUs: boolean;
  readonly interested: boolean;
  /** We choke the remote. */
  readonly choked: boolean;
  readonly optimisticUnchoke: boolean;
  readonly snubbed: boolean;
  readonly incoming: boolean;
  /** `handshake`: what follows the encrypted handshake is plain. */
  readonly encryption: 'none' | 'handshake' | 'rc4';
  /** All the ways in which its address was learnt. */
  readonly sources: readonly PeerSource[];
}
