// What is wanted of a torrent from its beginning, from what a client says to what the engine stores with it. Pure.
import type { AddingWishes } from '../../../shared-protocol/commands/adding.js';
import type { AddingWishesBody } from '../../../shared-protocol/dto/adding.js';
import type { LibraryRecord } from '../../../shared-protocol/library-record.js';
import { notFound } from '../../errors.js';
import { toRateLimits } from '../settings/rate-units.js';
import type { Labels } from './labels.js';
import { overrideOf } from './seed-policies.js';
import { policyOf } from './seeding-in-force.js';
import { assertTagsFit } from './torrent-labels.js';

/** @throws RequestError `NOT_FOUND` for a tag that is none, `BODY_INVALID` for too many */
export function recordWished(
  { tags, seed_policy, seeding_rule, name }: AddingWishesBody,
  labels: Pick<Labels, 'tag'>,
): Pick<LibraryRecord, 'tagIds' | 'seedPolicy' | 'name'> {
  const tagIds = [...new Set(tags)];
  const marked = seeding_rule?.action === 'tag' ? [seeding_rule.tag_id ?? 0] : [];
  if ([...tagIds, ...marked].some((id) => !labels.tag(id))) throw notFound('tag');
  assertTagsFit(tagIds, labels, 'tags');
  const ownPolicy = seed_policy ? overrideOf(seed_policy) : null;
  return { tagIds, seedPolicy: seeding_rule ? policyOf(seeding_rule) : ownPolicy, ...(name && { name }) };
}

export function wishesOf(body: AddingWishesBody): AddingWishes {
  const { rate_limits, file_priorities, first_last_first, force_start, queue_position, stop_after, skip_check } = body;
  return {
    firstLastFirst: first_last_first ?? false,
    forceStart: force_start ?? false,
    isFirstInQueue: queue_position === 'top',
    ...(rate_limits && { rateLimits: toRateLimits(rate_limits) }),
    ...(file_priorities && { filePriorities: file_priorities }),
    ...(stop_after && { stopAfter: stop_after }),
    skipCheck: skip_check ?? false,
  };
}
