// What a torrent is like once an action was done: what is so already is not done again. Pure.
import { isDeepStrictEqual } from 'node:util';
import type { AutomationAction } from '../../../shared-protocol/dto/automations.js';
import type { SeedPolicy } from '../../../shared-protocol/library-record.js';
import { hasFlag } from '../library/torrent-dto.js';
import { toRateLimits } from '../settings/rate-units.js';
import type { Subject } from './subject.js';

const UNLIMITED = { downBytesPerSec: 0, upBytesPerSec: 0 };

/** Actions that leave no trace by which to know that they were done: once for each time that the conditions come to hold. */
export function isOnce({ action }: AutomationAction): boolean {
  return action === 'announce' || action === 'queue' || action === 'move';
}

export function isInEffect(action: AutomationAction, { facts, stats }: Subject): boolean {
  const { categoryId, tagIds, seedPolicy } = facts.library;
  switch (action.action) {
    case 'pause':
      return hasFlag(stats, 'paused');
    case 'resume':
      return !hasFlag(stats, 'paused');
    case 'category':
      return categoryId === action.category_id;
    case 'add_tag':
      return tagIds.includes(action.tag_id);
    case 'remove_tag':
      return !tagIds.includes(action.tag_id);
    case 'rate_limits':
      return isDeepStrictEqual(facts.rateLimits ?? UNLIMITED, toRateLimits(action));
    case 'share_limits':
      return isDeepStrictEqual(seedPolicy, policyWith(action));
    case 'move':
      return facts.savePath === action.path;
    case 'announce':
    case 'queue':
    case 'remove':
      return false;
  }
}

/** The torrent's own seeding rule with these limits: all else of it is fixed, so that no rule removes by way of another. */
export function policyWith(limits: Extract<AutomationAction, { action: 'share_limits' }>): SeedPolicy {
  return {
    ratioLimit: limits.ratio_limit,
    minutesLimit: limits.time_min_limit,
    inactiveMinutesLimit: limits.inactive_min_limit,
    action: 'pause',
  };
}
