// What the server says about rules alone, in the words of the page.
import type { ApiError } from '../../net/http.js';
import { t } from '../../strings/index.js';

/** Rules that the server allows an account. */
export const MAX_RULES = 50;

export function wordsOf(error: ApiError): string {
  if (error.said.startsWith('preview: one at a time')) return t('automations.dryRun.busy');
  if (error.said.startsWith('automations: at most')) return t('automations.full', { max: MAX_RULES });
  return error.message;
}
