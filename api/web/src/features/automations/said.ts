// What the server says about rules alone, in the words of the page.
import type { ApiError } from '../../net/api-error.js';
import { t } from '../../strings/index.js';

/** Rules that the server allows an account. */
export const MAX_RULES = 50;

/** `message`: the words of the page, as far as it knows them. */
export function wordsOf({ reason, message }: Pick<ApiError, 'reason' | 'message'>): string {
  const { of, max } = reason.code === 'QUOTA_EXCEEDED' ? (reason.data ?? {}) : {};
  if (of === 'previews') return t('automations.dryRun.busy');
  // The rules of all accounts have a bound as well, of which an account is told no number of its own.
  return of === 'automations' && typeof max === 'number' ? t('automations.full', { max }) : message;
}
