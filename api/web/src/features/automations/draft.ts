// A rule as it is typed. Each part keeps what was typed for other choices of it, so that a choice can be taken back.
import { createMutable } from 'solid-js/store';
import type {
  AutomationAction,
  AutomationDto,
  Condition,
  ConditionGroup,
} from '../../../../../shared-protocol/dto/automations.js';
import { firstUnitOf, isMeasure, KIND_OF, typedOf, type MeasureCondition } from './measures.js';

export type LeafField = Condition['field'];
export type ActionName = AutomationAction['action'];

export interface LeafDraft {
  readonly key: number;
  readonly kind: 'leaf';
  field: LeafField;
  op: string;
  /** Chosen states or codes. */
  values: string[];
  ids: (number | null)[];
  /** Hosts, a pattern, a path or a number. */
  text: string;
  unit: string;
  syntax: 'glob' | 'regex';
  isPrivate: boolean;
}

export interface GroupDraft {
  readonly key: number;
  readonly kind: 'group';
  match: 'all' | 'any';
  items: (LeafDraft | GroupDraft)[];
}

export interface ActionDraft {
  readonly key: number;
  action: ActionName;
  /** The category or the tag. */
  id: number | null;
  down: string;
  up: string;
  ratio: string;
  time: string;
  inactive: string;
  to: 'top' | 'bottom';
  path: string;
  deleteData: boolean;
}

export interface RuleDraft {
  name: string;
  enabled: boolean;
  scope: 'own' | 'visible';
  readonly when: GroupDraft;
  forText: string;
  forUnit: string;
  actions: ActionDraft[];
  maxRemovals: string;
}

const DEFAULT_MAX_REMOVALS = 50;

let lastKey = 0;

export function newLeaf(): LeafDraft {
  return {
    ...{ key: ++lastKey, kind: 'leaf', field: 'ratio', op: 'at_least', values: [], ids: [] },
    ...{ text: '', unit: '', syntax: 'glob', isPrivate: true },
  };
}

export function newGroup(): GroupDraft {
  return { key: ++lastKey, kind: 'group', match: 'any', items: [newLeaf()] };
}

export function newAction(): ActionDraft {
  return {
    ...{ key: ++lastKey, action: 'pause', id: null, down: '0', up: '0', ratio: '', time: '', inactive: '' },
    ...{ to: 'top', path: '', deleteData: false },
  };
}

/** Comparisons of a field, the usual first; none: it is a question of yes or no. */
export function opsOf(field: LeafField): readonly Exclude<Condition, { readonly field: 'private' }>['op'][] {
  switch (field) {
    case 'state':
    case 'tracker_error':
    case 'category':
    case 'tracker':
      return ['is', 'is_not'];
    case 'tags':
      return ['any', 'all', 'none'];
    case 'name':
      return ['matches', 'matches_not'];
    case 'save_path':
      return ['below', 'not_below'];
    case 'private':
      return [];
    default:
      return ['at_least', 'at_most'];
  }
}

/** Looks at another field, for which what was chosen is no choice. */
export function changeField(leaf: LeafDraft, field: LeafField): void {
  const kindOf = (name: LeafField) => (isMeasure(name) ? KIND_OF[name] : name);
  if (kindOf(leaf.field) !== kindOf(field)) {
    leaf.values = [];
    leaf.ids = [];
    leaf.text = '';
    leaf.unit = isMeasure(field) ? firstUnitOf[KIND_OF[field]] : '';
  }
  leaf.field = field;
  const ops = opsOf(field);
  if (!ops.some((op) => op === leaf.op)) leaf.op = ops[0] ?? '';
}

export function leavesOf(group: GroupDraft): LeafDraft[] {
  return group.items.flatMap((item) => (item.kind === 'group' ? leavesOf(item) : [item]));
}

/** `rule`: null for a new one. Reads and writes are followed. */
export function draftOf(rule: AutomationDto | null): RuleDraft {
  const wait = typedOf('span', rule?.for_minutes ?? 0);
  return createMutable<RuleDraft>({
    name: rule?.name ?? '',
    enabled: rule?.enabled ?? true,
    scope: rule?.scope ?? 'own',
    when: rule ? groupOf(rule.when) : { ...newGroup(), match: 'all' },
    forText: wait.text,
    forUnit: rule && rule.for_minutes > 0 ? wait.unit : 'minutes',
    actions: rule ? rule.actions.map(actionOf) : [newAction()],
    maxRemovals: String(rule?.max_removals ?? DEFAULT_MAX_REMOVALS),
  });
}

function groupOf({ match, conditions }: ConditionGroup): GroupDraft {
  return {
    ...newGroup(),
    match,
    items: conditions.map((item) => (item.field === 'group' ? groupOf(item) : leafOf(item))),
  };
}

function leafOf(condition: Condition): LeafDraft {
  const leaf: LeafDraft = { ...newLeaf(), field: condition.field, op: 'op' in condition ? condition.op : '' };
  switch (condition.field) {
    case 'state':
    case 'tracker_error':
      return { ...leaf, values: [...condition.values] };
    case 'private':
      return { ...leaf, isPrivate: condition.value };
    case 'category':
      return { ...leaf, ids: [...condition.category_ids] };
    case 'tags':
      return { ...leaf, ids: [...condition.tag_ids] };
    case 'tracker':
      return { ...leaf, text: condition.hosts.join(', ') };
    case 'name':
      return { ...leaf, text: condition.pattern, syntax: condition.syntax };
    case 'save_path':
      return { ...leaf, text: condition.path };
    default: {
      const measured = condition as MeasureCondition;
      return { ...leaf, ...typedOf(KIND_OF[measured.field], measured.value) };
    }
  }
}

const textOf = (limit: number | null) => (limit === null ? '' : String(limit));

function actionOf(given: AutomationAction): ActionDraft {
  const draft: ActionDraft = { ...newAction(), action: given.action };
  switch (given.action) {
    case 'category':
      return { ...draft, id: given.category_id };
    case 'add_tag':
    case 'remove_tag':
      return { ...draft, id: given.tag_id };
    case 'rate_limits':
      return { ...draft, down: String(given.down_kbps), up: String(given.up_kbps) };
    case 'share_limits':
      return {
        ...draft,
        ratio: textOf(given.ratio_limit),
        time: textOf(given.time_min_limit),
        inactive: textOf(given.inactive_min_limit),
      };
    case 'queue':
      return { ...draft, to: given.to };
    case 'move':
      return { ...draft, path: given.path };
    case 'remove':
      return { ...draft, deleteData: given.delete_data };
    default:
      return draft;
  }
}
