// The states that the list can be narrowed down to; a torrent may be in several of them. Pure.
import type { Torrent } from '../live/messages.js';
import { PROBLEMS, problemOf, stateOf, type Problem, type TorrentState } from './torrent-state.js';

export const STATE_FILTERS = [
  'all',
  'downloading',
  'seeding',
  'completed',
  'active',
  'inactive',
  'stalled',
  'queued',
  'paused',
  'checking',
  'moving',
  'metadata',
  'trouble',
  ...PROBLEMS,
] as const;

export type StateFilter = (typeof STATE_FILTERS)[number];

/** Choices that are shown where some torrent has the problem. */
export const PROBLEM_FILTERS = ['trouble', ...PROBLEMS] as const satisfies readonly StateFilter[];

/** Choices by what a torrent does. */
export const ACTIVITY_FILTERS = STATE_FILTERS.filter((filter) => !PROBLEM_FILTERS.some((each) => each === filter));

/** Choices that are made of more than the state. */
type OtherFilter = 'all' | 'active' | 'inactive' | 'completed' | 'trouble' | Problem;

const STATES: Readonly<Record<Exclude<StateFilter, OtherFilter>, readonly TorrentState[]>> = {
  downloading: ['downloading', 'stalled', 'metadata'],
  seeding: ['seeding'],
  stalled: ['stalled'],
  paused: ['paused', 'finished'],
  queued: ['queued'],
  checking: ['verifying'],
  metadata: ['metadata'],
  moving: ['moving'],
};

/** A bit for each choice, in the order of `STATE_FILTERS`. */
const BITS = Object.fromEntries(STATE_FILTERS.map((filter, bit) => [filter, 1 << bit])) as Readonly<
  Record<StateFilter, number>
>;

const BITS_OF_STATE: ReadonlyMap<TorrentState, number> = bitsOfStates();

/** Returns the bits of all choices that the torrent is in. */
export function statesOf(torrent: Torrent): number {
  const state = stateOf(torrent);
  const problem = problemOf(torrent, state);
  return (
    BITS.all |
    (BITS_OF_STATE.get(state) ?? 0) |
    (torrent.download_rate > 0 || torrent.upload_rate > 0 ? BITS.active : BITS.inactive) |
    (torrent.completed ? BITS.completed : 0) |
    (problem ? BITS.trouble | BITS[problem] : 0)
  );
}

/** Returns the bits of the choices that are among the values. */
export function bitsOf(values: readonly string[]): number {
  return STATE_FILTERS.reduce((bits, filter) => (values.includes(filter) ? bits | BITS[filter] : bits), 0);
}

export function isInState(torrent: Torrent, filter: StateFilter): boolean {
  return (statesOf(torrent) & BITS[filter]) !== 0;
}

function bitsOfStates(): ReadonlyMap<TorrentState, number> {
  const bits = new Map<TorrentState, number>();
  for (const [filter, states] of Object.entries(STATES)) {
    for (const state of states) bits.set(state, (bits.get(state) ?? 0) | bitsOf([filter]));
  }
  return bits;
}
