// Starting values of the choker (docs/limits.md, "Choking and mixed mode").
import { MINUTE_MS, SECOND_MS } from '../environment.js';
import type { ChokerOptions, UnchokeSlotsOptions } from './types.js';

export const DEFAULT_CHOKER_OPTIONS: ChokerOptions = {
  /** libtorrent's `unchoke_slots_limit`; {@link unchokeSlots} raises it with the measured rate. */
  slots: 8,
  /** Transmission's minimum between two changes; less and TCP never finds its rate. */
  minUnchokedMs: 10 * SECOND_MS,
  /** BEP 3: "every third round", of 10 s each. */
  optimisticIntervalMs: 30 * SECOND_MS,
};

export const DEFAULT_UNCHOKE_SLOTS_OPTIONS: UnchokeSlotsOptions = {
  minSlots: 8,
  maxSlots: 64,
  thresholdBytesPerSec: 1024,
};

/** libtorrent's seeding choker: no peer loses a seed's slot to an equal within the first minute. */
export const SEED_TURN_MS = MINUTE_MS;

/**
 * Takers above this part of the slowest rate that would earn a slot count as equally fast. No spec value: rates of equal
 * peers that share a line differ by some 20 %, rates of different lines by a multiple.
 */
export const COMPARABLE_RATE = 0.5;

/** How long after an unchoke the rate says something: TCP and the request queue have found their pace. */
export const RATE_SETTLED_MS = 10 * SECOND_MS;

/** One slot in this many is optimistic, at least one. */
export const SLOTS_PER_OPTIMISTIC = 5;

/** No spec value for when a peer ceases to be new; Transmission uses a minute. */
export const NEW_PEER_MS = MINUTE_MS;

/** BEP 3: new connections are three times as likely to start as the optimistic unchoke. */
export const NEW_PEER_WEIGHT = 3;
