// Settings of another program that an import was not asked to bring: one sentence that names them, with their values. Pure.
import { maskAddress } from '../../../../shared-protocol/masking.js';
import type { ForeignSettings } from '../foreign-settings.js';
import { ADDING, LIMITS, QUEUE, SEEDING, wordsOf } from './value-words.js';

/** None: there is nothing of that kind there. */
export function offered(settings: ForeignSettings): string[] {
  const { limits, queue, seeding, categorySeeding, schedule, excludedNames, blocklistUrl, ...rest } = settings;
  const { feeds, filters, leftOut } = rest;
  const rules = filters.length + leftOut.filter(({ name }) => name.startsWith('rule ')).length;
  const parts = [
    ...wordsOf(LIMITS, limits),
    ...wordsOf(QUEUE, queue),
    ...wordsOf(SEEDING, seeding),
    ...(excludedNames.length > 0 ? wordsOf(ADDING, { excluded_file_names: [...excludedNames] }) : []),
    ...(categorySeeding.length > 0 ? [`seeding limits of ${categorySeeding.length} categories`] : []),
    ...(schedule.length > 0 ? ['a schedule'] : []),
    ...(blocklistUrl === '' ? [] : [`blocklist ${maskAddress(blocklistUrl)}`]),
    ...(feeds.length > 0 ? [`${feeds.length} feeds`] : []),
    ...(rules > 0 ? [`${rules} rules of feeds`] : []),
    ...leftOut.filter(({ name }) => !name.startsWith('rule ')).map(({ name }) => name),
  ];
  return parts.length === 0 ? [] : [`its settings are not taken over, as that was not asked for: ${parts.join(', ')}`];
}
