// Rules as sentences: what is shown of them in the list, in histories, and of a condition that does not hold.
import type {
  AutomationAction,
  AutomationDto,
  Condition,
  ConditionGroup,
} from '../../../../../shared-protocol/dto/automations.js';
import { duration, inert, rate, ratio } from '../../format/quantities.js';
import { categories, tags } from '../../state/labels.js';
import { t } from '../../strings/index.js';
import { inLanguage } from '../../strings/locale.js';
import { isMeasure, wordsOfNumber, type MeasureCondition } from './measures.js';

const KIB = 1024;
const MINUTE_S = 60;

export function categoryName(id: number | null): string {
  if (id === null) return t('automations.form.noCategory');
  return nameIn(categories.value(), id);
}

export function tagName(id: number): string {
  return nameIn(tags.value(), id);
}

function nameIn(known: readonly { readonly id: number; readonly name: string }[] | null, id: number): string {
  const label = known?.find((each) => each.id === id);
  return label ? inert(label.name) : t('automations.form.deletedLabel', { id: String(id) });
}

export function groupWords({ match, conditions }: ConditionGroup): string {
  return conditions
    .map((item) => (item.field === 'group' ? `(${groupWords(item)})` : conditionWords(item)))
    .join(t(match === 'all' ? 'automations.and' : 'automations.or'));
}

/** The name of a field as it is written within a sentence; in German they are nouns. */
const inSentence = inLanguage(
  (locale) => (field: string) => (locale.startsWith('en') ? field[0]!.toLowerCase() + field.slice(1) : field),
);

export function conditionWords(condition: Condition): string {
  const field = inSentence()(t(`automations.field.${condition.field}`));
  if (condition.field === 'private') return `${field}: ${t(condition.value ? 'automations.yes' : 'automations.no')}`;
  return `${field} ${t(`automations.op.${condition.op}`)} ${valueWords(condition)}`;
}

function valueWords(condition: Exclude<Condition, { readonly field: 'private' }>): string {
  switch (condition.field) {
    case 'state':
      return oneOf(condition.values.map((name) => t(`automations.state.${name}`)));
    case 'tracker_error':
      return oneOf(condition.values.map((code) => t(`automations.trackerError.${code}`)));
    case 'category':
      return oneOf(condition.category_ids.map(categoryName));
    case 'tags':
      return oneOf(condition.tag_ids.map(tagName));
    case 'tracker':
      return oneOf(condition.hosts);
    case 'name':
      return condition.syntax === 'regex' ? `/${inert(condition.pattern)}/` : `“${inert(condition.pattern)}”`;
    case 'save_path':
      return inert(condition.path);
    default:
      return isMeasure(condition.field) ? wordsOfNumber(condition as MeasureCondition) : '';
  }
}

/** Names of which one will do: no word that joins conditions as well. */
const oneOf = (names: readonly string[]) => names.map(inert).join(' / ');

export function actionsWords(actions: readonly AutomationAction[]): string {
  return actions.map(actionWords).join(', ');
}

function actionWords(given: AutomationAction): string {
  switch (given.action) {
    case 'pause':
    case 'resume':
    case 'announce':
      return t(`automations.does.${given.action}`);
    case 'category':
      if (given.category_id === null) return t('automations.does.noCategory');
      return t('automations.does.category', { name: categoryName(given.category_id) });
    case 'add_tag':
    case 'remove_tag':
      return t(`automations.does.${given.action}`, { name: tagName(given.tag_id) });
    case 'rate_limits':
      return t('automations.does.rate_limits', { down: limitWords(given.down_kbps), up: limitWords(given.up_kbps) });
    case 'share_limits':
      return shareWords(given);
    case 'queue':
      return t(`automations.does.${given.to}`);
    case 'move':
      return t('automations.does.move', { path: inert(given.path) });
    case 'remove':
      return t(given.delete_data ? 'automations.does.removeData' : 'automations.does.remove');
  }
}

const limitWords = (kbps: number) => rate(kbps * KIB) || t('automations.does.unlimited');

function shareWords(given: Extract<AutomationAction, { readonly action: 'share_limits' }>): string {
  const minutes = (value: number) => duration(value * MINUTE_S);
  const limits = [
    given.ratio_limit !== null && t('automations.does.ratio', { value: ratio(given.ratio_limit) }),
    given.time_min_limit !== null && t('automations.does.time', { value: minutes(given.time_min_limit) }),
    given.inactive_min_limit !== null && t('automations.does.inactive', { value: minutes(given.inactive_min_limit) }),
  ].filter((words) => words !== false);
  if (limits.length === 0) return t('automations.does.noShareLimits');
  return t('automations.does.share_limits', { limits: limits.join(', ') });
}

/** The condition at the places of a preview; of a group that fails as a whole, all of it. */
export function failingWords(rule: Pick<AutomationDto, 'when'>, places: readonly number[]): string {
  let group: ConditionGroup = rule.when;
  for (const place of places) {
    const item = group.conditions[place];
    if (!item) break;
    if (item.field !== 'group') return conditionWords(item);
    group = item;
  }
  return groupWords(group);
}
