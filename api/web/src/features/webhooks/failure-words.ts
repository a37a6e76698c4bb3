// Why a message did not arrive, as people read it: what the receiver answered and what that means, or how the connection to
// it failed. Pure.
import type { ToldReason } from '../../net/reason-text.js';
import { worded } from '../../net/worded.js';
import { t, type TextKey } from '../../strings/index.js';

type AnswerText = Extract<TextKey, `webhooks.answer.${string}`>;

/** By the status; the first that fits. */
const ANSWERS: readonly (readonly [RegExp, AnswerText])[] = [
  [/^3/, 'webhooks.answer.redirect'],
  [/^40[13]$/, 'webhooks.answer.denied'],
  [/^404$/, 'webhooks.answer.missing'],
  [/^410$/, 'webhooks.answer.gone'],
  [/^429$/, 'webhooks.answer.tooMany'],
  [/^5/, 'webhooks.answer.broken'],
];

/** `said`: the words of the server, with or without the field before them. */
export function failureWords(said: string, reason: ToldReason): string {
  const status = reason.code === 'HTTP_STATUS' ? reason.data?.['status'] : undefined;
  if (status === undefined) return worded(said, reason);
  const digits = String(status);
  const [, text] = ANSWERS.find(([pattern]) => pattern.test(digits)) ?? [null, 'webhooks.answer.other' as const];
  return t(text, { status: digits });
}
