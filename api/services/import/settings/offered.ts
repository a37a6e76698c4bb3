// Settings of another program that an import was not asked to bring: one remark that names them, with their values. Pure.
import { remark, type Remark } from '../../../../shared-protocol/import-remarks/remark.js';
import { maskAddress } from '../../../../shared-protocol/masking.js';
import type { ForeignSettings } from '../foreign-settings.js';
import { ADDING, LIMITS, QUEUE, SEEDING, wordsOf } from './value-words.js';

/** None: there is nothing of that kind there. */
export function offered(there: ForeignSettings): Remark[] {
  const { limits, queue, seeding, categorySeeding, schedule, excludedNames, blocklistUrl, feeds, filters } = there;
  const others = there.leftOut.map(({ name }) => name).filter(({ code }) => code !== 'RULE');
  const rules = filters.length + there.leftOut.length - others.length;
  const settings = [
    ...wordsOf(LIMITS, limits),
    ...wordsOf(QUEUE, queue),
    ...wordsOf(SEEDING, seeding),
    ...(excludedNames.length > 0 ? wordsOf(ADDING, { excluded_file_names: [...excludedNames] }) : []),
    ...(categorySeeding.length > 0 ? [remark('CATEGORY_LIMITS', { count: categorySeeding.length })] : []),
    ...(schedule.length > 0 ? [remark('SCHEDULE')] : []),
    ...(blocklistUrl === '' ? [] : [remark('BLOCKLIST_AT', { address: maskAddress(blocklistUrl) })]),
    ...(feeds.length > 0 ? [remark('FEEDS', { count: feeds.length })] : []),
    ...(rules > 0 ? [remark('RULES', { count: rules })] : []),
    ...others,
  ];
  return settings.length === 0 ? [] : [remark('SETTINGS_LEFT', { settings })];
}
