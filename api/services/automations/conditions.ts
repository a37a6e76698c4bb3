// Conditions as functions of a subject. Of what is not known neither a condition nor its opposite holds where it compares
// a number; a list that the torrent has nothing of is what `is_not` and `none` mean. Pure.
import { sep } from 'node:path';
import type { Condition, ConditionGroup } from '../../../shared-protocol/dto/automations.js';
import { trackerHostOf } from '../../../shared-protocol/tracker-host.js';
import type { ListedTorrent } from '../library/shares.js';
import type { KnownLabels } from '../library/torrent-dto.js';
import { codeOf } from '../library/tracker-error.js';
import { noteDue, readMeasure } from './measures.js';
import { NamePattern } from './name-pattern.js';
import type { RuleNames } from './rule-names.js';
import { STATES } from './states.js';
import type { Due, Subject } from './subject.js';
import { withoutTrailingSlashes } from '../../../shared-protocol/trailing-slashes.js';

/** Returns whether it holds, and notes when that may change by itself. */
export type Test = (subject: Subject, due: Due) => boolean;

/** A group whose parts can be asked one by one, to tell which of them fails. */
export interface CompiledGroup {
  readonly test: Test;
  readonly match: 'all' | 'any';
  readonly parts: readonly (CompiledGroup | { readonly test: Test })[];
}

/** `names`: takes in the patterns of the group. */
export function compileGroup(
  { match, conditions }: ConditionGroup,
  labels: KnownLabels,
  names: RuleNames,
): CompiledGroup {
  const parts = conditions.map((item) =>
    item.field === 'group' ? compileGroup(item, labels, names) : { test: compile(item, labels, names) },
  );
  // Patterns are the dearest by far.
  const isPattern = (place: number) => conditions[place]?.field === 'name';
  const tests = parts
    .map(({ test }, place) => ({ test, place }))
    .sort((a, b) => Number(isPattern(a.place)) - Number(isPattern(b.place)))
    .map(({ test }) => test);
  const stopsAt = match === 'any';
  const test: Test = (subject, due) => {
    for (const each of tests) if (each(subject, due) === stopsAt) return stopsAt;
    return !stopsAt;
  };
  return { test, match, parts };
}

/** The places of the first part that fails, from the outside in. Of a group of which any part would do, the group's own. */
export function failingPath(group: CompiledGroup, subject: Subject, due: Due): number[] {
  if (group.match === 'any') return [];
  const place = group.parts.findIndex(({ test }) => !test(subject, due));
  const part = group.parts[place];
  if (!part) return [];
  return [place, ...('parts' in part ? failingPath(part, subject, due) : [])];
}

function compile(condition: Condition, labels: KnownLabels, names: RuleNames): Test {
  switch (condition.field) {
    case 'state': {
      const states = condition.values.map((name) => STATES[name]);
      return either(condition.op === 'is', (subject) => states.some((holds) => holds(subject)));
    }
    case 'tracker_error': {
      const codes = new Set(condition.values);
      const hasOne = ({ trackerError }: ListedTorrent) => trackerError !== undefined && codes.has(codeOf(trackerError));
      return either(condition.op === 'is', ({ facts }) => hasOne(facts));
    }
    case 'private':
      return ({ facts }) => facts.hasMetadata && facts.isPrivate === condition.value;
    case 'category': {
      const ids = new Set(condition.category_ids);
      return either(condition.op === 'is', ({ facts: { library } }) => {
        const { categoryId: id } = library;
        return ids.has(id !== null && labels.category(id) ? id : null);
      });
    }
    case 'tags': {
      const { op, tag_ids } = condition;
      const has =
        ({ facts }: Subject) =>
        (id: number) =>
          facts.library.tagIds.includes(id) && labels.tag(id) !== undefined;
      if (op === 'all') return (subject) => tag_ids.every(has(subject));
      return either(op === 'any', (subject) => tag_ids.some(has(subject)));
    }
    case 'tracker':
      return either(condition.op === 'is', hostTest(condition.hosts));
    case 'name': {
      const isFound = names.add(new NamePattern(condition.syntax, condition.pattern));
      const isWanted = condition.op === 'matches';
      // Of a name that the pattern cannot be looked for in neither holds.
      return ({ facts }) => isFound(facts) === isWanted;
    }
    case 'save_path': {
      const folder = withoutTrailingSlashes(condition.path);
      // Where it lies may not be for the account to know.
      return ({ facts: { savePath } }) => {
        if (savePath === '') return false;
        const isBelow = savePath === folder || savePath.startsWith(`${folder}${sep}`);
        return isBelow === (condition.op === 'below');
      };
    }
    default: {
      const { field, op, value: bound } = condition;
      return (subject, due) => {
        noteDue(field, bound, subject, due);
        const value = readMeasure(field, subject);
        return value !== null && (op === 'at_least' ? value >= bound : value <= bound);
      };
    }
  }
}

/** The test or its opposite. */
function either(isStraight: boolean, test: (subject: Subject) => boolean): Test {
  return (subject) => test(subject) === isStraight;
}

/** Parsing the addresses of each torrent at each look would take longer than all else. */
function hostTest(hosts: readonly string[]): (subject: Subject) => boolean {
  const known = new WeakMap<ListedTorrent, boolean>();
  const isNamed = (host: string) => hosts.some((name) => host === name || host.endsWith(`.${name}`));
  return ({ facts }) => {
    const before = known.get(facts);
    if (before !== undefined) return before;
    const found = facts.trackers.split('\n').some((url) => isNamed(trackerHostOf(url)));
    known.set(facts, found);
    return found;
  };
}
