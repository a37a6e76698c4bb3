// What the server says about rules alone, in the words of the page.
import { t } from '../../strings/index.js';

/** Rules that the server allows an account. */
export const MAX_RULES = 50;

/** `said`: the words of the server; `message`: those of the page, as far as it knows them. */
export function wordsOf(error: { readonly said: string; readonly message: string }): string {
  if (error.said.startsWith('preview: one at a time')) return t('automations.dryRun.busy');
  // The rules of all accounts have a bound as well, of which an account is told no number of its own.
  const isFull = error.said === `automations: at most ${MAX_RULES} of an account`;
  return isFull ? t('automations.full', { max: MAX_RULES }) : error.message;
}
