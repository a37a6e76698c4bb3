// What a draft says as the server takes it, or what is wrong with it, by the part in which it is. Pure.
import type { AutomationAction, AutomationFields, Condition } from '../../../../../shared-protocol/dto/automations.js';
import { t } from '../../strings/index.js';
import { number, orNothing, type Reading } from '../settings/codecs.js';
import type { ActionDraft, GroupDraft, LeafDraft, RuleDraft } from './draft.js';
import { isMeasure, KIND_OF, readNumber } from './measures.js';

const MOST_REMOVALS = 1_000;
const MAX_FOR_MINUTES = 43_200;

/** The part that has a problem: of the rule by name, of its conditions and actions by key. */
export type Problems = ReadonlyMap<'name' | 'for' | 'max_removals' | number, string>;

export interface ReadDraft {
  /** null: there are problems. */
  readonly rule: AutomationFields | null;
  readonly problems: Problems;
}

export function readDraft(draft: RuleDraft): ReadDraft {
  const problems = new Map<'name' | 'for' | 'max_removals' | number, string>();
  const take = <Value>(part: 'name' | 'for' | 'max_removals' | number, read: Reading<Value>): Value | null => {
    if ('value' in read) return read.value;
    problems.set(part, read.problem);
    return null;
  };
  const group = ({ match, items }: GroupDraft): object => ({
    match,
    conditions: items.map((item) =>
      item.kind === 'group' ? { field: 'group', ...group(item) } : take(item.key, readLeaf(item)),
    ),
  });
  const name = draft.name.trim();
  if (name === '') problems.set('name', t('settings.form.required'));
  const when = group(draft.when) as AutomationFields['when']; // null is left in it only with a problem
  const waits = take('for', readNumber('span', { text: draft.forText, unit: draft.forUnit }));
  if (waits !== null && waits > MAX_FOR_MINUTES) problems.set('for', tooLong());
  const actions = draft.actions.map((action) => take(action.key, readAction(action)));
  for (const [key, problem] of contradictions(draft.actions)) problems.set(key, problem);
  const removes = draft.actions.some(({ action }) => action === 'remove');
  const most = removes
    ? take('max_removals', number({ min: 1, max: MOST_REMOVALS }).read(draft.maxRemovals))
    : Number(draft.maxRemovals);
  if (problems.size > 0) return { rule: null, problems };
  return {
    rule: {
      ...{ name, enabled: draft.enabled, scope: draft.scope, when, for_minutes: waits ?? 0 },
      ...{ actions: actions.filter((action) => action !== null), max_removals: most ?? 1 },
    },
    problems,
  };
}

function tooLong(): string {
  return t('settings.form.atMost', { max: `${MAX_FOR_MINUTES / 1_440} ${t('automations.unit.days')}` });
}

function readLeaf(leaf: LeafDraft): Reading<Condition> {
  const { field, op, text, values, ids, syntax } = leaf;
  const needed = { problem: t('settings.form.required') };
  // Which comparisons a field has, the form sees to.
  const as = (shape: object): Reading<Condition> => ({
    value: { field, ...(op !== '' && { op }), ...shape } as Condition,
  });
  if (isMeasure(field)) {
    const read = readNumber(KIND_OF[field], leaf);
    return 'problem' in read ? read : as({ value: read.value });
  }
  switch (field) {
    case 'state':
    case 'tracker_error':
      return values.length === 0 ? { problem: t('automations.form.choose') } : as({ values: [...values] });
    case 'private':
      return { value: { field, value: leaf.isPrivate } };
    case 'category':
      return ids.length === 0 ? { problem: t('automations.form.choose') } : as({ category_ids: [...ids] });
    case 'tags':
      return ids.length === 0 ? { problem: t('automations.form.choose') } : as({ tag_ids: [...ids] });
    case 'tracker': {
      const hosts = text.split(/[\s,]+/).filter((host) => host !== '');
      const bad = hosts.find((host) => !isHost(host));
      if (bad !== undefined) return { problem: t('automations.form.badHost', { host: bad }) };
      return hosts.length === 0 ? needed : as({ hosts });
    }
    case 'name':
      return text === '' ? needed : as({ pattern: text, syntax });
    case 'save_path':
      if (text.trim() === '') return needed;
      return text.startsWith('/') ? as({ path: text }) : { problem: t('server.absolutePath') };
  }
}

/** Without port, path or anything else. */
function isHost(text: string): boolean {
  return (
    URL.canParse(`http://${text}`) && new URL(`http://${text}`).href === `http://${new URL(`http://${text}`).hostname}/`
  );
}

function readAction(draft: ActionDraft): Reading<AutomationAction> {
  const { action } = draft;
  switch (action) {
    case 'pause':
    case 'resume':
    case 'announce':
      return { value: { action } };
    case 'category':
      return { value: { action, category_id: draft.id } };
    case 'add_tag':
    case 'remove_tag':
      return draft.id === null ? { problem: t('automations.form.chooseOne') } : { value: { action, tag_id: draft.id } };
    case 'rate_limits': {
      const [down, up] = [number({ isWhole: false }).read(draft.down), number({ isWhole: false }).read(draft.up)];
      if ('problem' in down) return down;
      return 'problem' in up ? up : { value: { action, down_kbps: down.value, up_kbps: up.value } };
    }
    case 'share_limits': {
      const ratio = orNothing(number({ isWhole: false })).read(draft.ratio);
      const [time, inactive] = [draft.time, draft.inactive].map((text) => orNothing(number()).read(text));
      if ('problem' in ratio) return ratio;
      if (!time || 'problem' in time) return time ?? { problem: '' };
      if (!inactive || 'problem' in inactive) return inactive ?? { problem: '' };
      const limits = { ratio_limit: ratio.value, time_min_limit: time.value, inactive_min_limit: inactive.value };
      return { value: { action, ...limits } };
    }
    case 'queue':
      return { value: { action, to: draft.to } };
    case 'move':
      return draft.path.trim() === ''
        ? { problem: t('settings.form.required') }
        : { value: { action, path: draft.path } };
    case 'remove':
      return { value: { action, delete_data: draft.deleteData } };
  }
}

/** Finds the second of two actions of a kind, and a removal beside anything else. */
function contradictions(actions: readonly ActionDraft[]): readonly (readonly [number, string])[] {
  const kinds = new Set<string>();
  return actions.flatMap(({ key, action, id }) => {
    const kind = kindOf(action, id);
    if (action === 'remove' && actions.length > 1) return [[key, t('automations.form.removesOnly')] as const];
    if (kinds.has(kind)) return [[key, t('automations.form.contradict')] as const];
    kinds.add(kind);
    return [];
  });
}

function kindOf(action: ActionDraft['action'], id: number | null): string {
  if (action === 'pause' || action === 'resume') return 'run';
  return action === 'add_tag' || action === 'remove_tag' ? `tag ${id}` : action;
}
