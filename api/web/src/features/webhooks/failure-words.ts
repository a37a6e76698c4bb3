// Why a message did not arrive, as people read it: what the receiver answered and what that means, or how the connection to
// it failed. Pure.
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

/** `failure`: the words of the server, with or without the field before them. */
export function failureWords(failure: string): string {
  const [, status] = /^(?:webhook: )?Delivery failed: HTTP (\d+)$/.exec(failure) ?? [];
  if (status === undefined) return worded(failure);
  const [, text] = ANSWERS.find(([pattern]) => pattern.test(status)) ?? [null, 'webhooks.answer.other' as const];
  return t(text, { status });
}
