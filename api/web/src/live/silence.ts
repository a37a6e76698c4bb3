// Whether a connection that says nothing is still one. Frames come each second; a socket whose other end has gone without a
// word (a sleeping machine, a network that was left, a process that stands still) stays open for minutes all the same. A large
// frame on a slow line says nothing either, for as long as it takes: so the server is asked beside the socket before
// anything is believed. Pure.

/** Without a frame for so long the server is asked. */
export const ASK_AFTER_MS = 2_500;
/** How long its answer may take. */
export const ANSWER_WITHIN_MS = 1_000;
/** Without a frame for so long, and without an answer, the socket is given up for another one. */
const GIVE_UP_AFTER_MS = 10_000;
/** The same with answers: a frame may be under way for long, but not for ever. */
const GIVE_UP_ANSWERED_AFTER_MS = 45_000;

/** `wait`: it may be well. `say`: people are told. `giveUp`: others are tried. */
export type Verdict = 'wait' | 'say' | 'giveUp';

/** The verdict after so long without a frame. `isAnswering`: the server, asked beside the socket; null: it has not been asked yet. */
export function verdictOn(silentMs: number, isAnswering: boolean | null): Verdict {
  if (silentMs < ASK_AFTER_MS || isAnswering === null) return 'wait';
  if (isAnswering) return silentMs < GIVE_UP_ANSWERED_AFTER_MS ? 'wait' : 'giveUp';
  return silentMs < GIVE_UP_AFTER_MS ? 'say' : 'giveUp';
}
