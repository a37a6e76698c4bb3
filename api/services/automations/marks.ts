// What is written down of deeds before they are done: what may not be done twice, and how many removals there are. A crash
// leaves the marks, so that nothing is repeated; what was refused, or not come to before a stop, gives its mark back.
import { kindOf } from '../../../shared-protocol/dto/automations.js';
import type { CompiledRule } from './compiled-rule.js';
import { isOnce } from './effects.js';
import type { Deeds } from './evaluation.js';
import type { Memory } from './memory.js';
import type { Step } from './plan.js';

/** Torrents to be removed, by rule. */
export function removalsOf(deeds: readonly Deeds[]): Map<CompiledRule, Deeds['torrent'][]> {
  const removals = new Map<CompiledRule, Deeds['torrent'][]>();
  for (const { torrent, steps } of deeds) {
    for (const { rule, action } of steps) {
      if (action.action !== 'remove') continue;
      const torrents = removals.get(rule);
      if (torrents) torrents.push(torrent);
      else removals.set(rule, [torrent]);
    }
  }
  return removals;
}

export function withoutRemovals(deeds: readonly Deeds[]): Deeds[] {
  return deeds.map((deed) => ({ ...deed, steps: deed.steps.filter(({ action }) => action.action !== 'remove') }));
}

/** `own`: the rules of the account. @throws AppError `STORAGE_FAILED` */
export async function markBefore(memory: Memory, deeds: readonly Deeds[], own: readonly CompiledRule[]): Promise<void> {
  const removals = removalsOf(deeds);
  let isToSave = false;
  for (const { torrent, steps } of deeds) {
    for (const { rule, action } of steps) {
      if (isOnce(action)) isToSave = memory.noteDone(rule, torrent.id, kindOf(action), own) || isToSave;
    }
  }
  for (const [rule, torrents] of removals) memory.noteRemovals(rule, torrents.length);
  if (isToSave || removals.size > 0) await memory.save();
}

/** Gives back the marks of all that is not in `done`; true: there were some. */
export function unmarkUndone(memory: Memory, deeds: readonly Deeds[], done: ReadonlySet<Step>): boolean {
  let isAny = false;
  for (const { torrent, steps } of deeds) {
    for (const step of steps) {
      if (!isOnce(step.action) || done.has(step)) continue;
      memory.noteUndone(step.rule, torrent.id, kindOf(step.action));
      isAny = true;
    }
  }
  return isAny;
}
