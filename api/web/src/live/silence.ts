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
/** A machine that has slept: frames that had come are read at once, others come each second, or never. */
const GIVE_UP_AWAKE_AFTER_MS = 2_000;

/** `wait`: it may be well. `say`: people are told. `giveUp`: others are tried. */
export type Verdict = 'wait' | 'say' | 'giveUp';

export interface Silence {
  /** How long there was no frame. */
  readonly silentMs: number;
  /** The server, asked beside the socket; null: it has not been asked yet. */
  readonly isAnswering: boolean | null;
  /** How long the machine has been awake, where it slept since the last frame; else null. */
  readonly awakeMs: number | null;
}

export function verdictOn({ silentMs, isAnswering, awakeMs }: Silence): Verdict {
  if (silentMs < ASK_AFTER_MS || isAnswering === null) return 'wait';
  if (!isAnswering) return silentMs < GIVE_UP_AFTER_MS ? 'say' : 'giveUp';
  const isGone = silentMs >= GIVE_UP_ANSWERED_AFTER_MS || (awakeMs !== null && awakeMs >= GIVE_UP_AWAKE_AFTER_MS);
  return isGone ? 'giveUp' : 'wait';
}
