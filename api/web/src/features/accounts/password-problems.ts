// What is wrong with a new password that was typed twice.
import { t } from '../../strings/index.js';

/** The server's own limit. */
const MIN_LENGTH = 8;

export function passwordProblems<Name extends string>(
  name: Name,
  password: string,
  again: string,
): Partial<Record<Name | 'again', string>> {
  if (password.length < MIN_LENGTH) {
    return { [name]: t('accounts.tooShort', { count: MIN_LENGTH }) } as Partial<Record<Name | 'again', string>>;
  }
  if (password !== again) {
    return { again: t('accounts.notTheSame') } as Partial<Record<Name | 'again', string>>;
  }
  return {};
}
