// Whether what an engine of its own process says has the shape of an event. Of several engines one may be a customer's: what it says
// wrongly ends its stream, and nothing for the others. Fields of newer engines are passed over. Cheap: all torrents come this way.
import { LOG_LEVELS } from '../log-levels.js';
import { MAX_ROWS } from '../stats-mirror.js';
import {
  fields,
  isAccount,
  isFields,
  isFiniteNumber,
  isFlag,
  isId,
  isNumber,
  isRateLimits,
  isText,
  isWhole,
  listOf,
  optional,
  orNull,
  type Check,
} from './shape.js';

const isRow: Check = (value) => isWhole(value) && (value as number) >= 0 && (value as number) < MAX_ROWS;
const isLimit: Check = (value) => value === null || value === 'inherited' || isFiniteNumber(value);

const isTrackerError = fields({ url: isText, message: isText, isRefusal: isFlag });
const isSeedPolicy = fields({
  ...{ ratioLimit: isLimit, minutesLimit: isLimit, inactiveMinutesLimit: optional(isLimit) },
  ...{ action: optional(isText), tagId: optional(isWhole) },
});
const isLibrary = fields({
  ...{ name: optional(isText), shares: listOf(fields({ accountId: isAccount, access: isText })) },
  ...{ categoryId: orNull(isWhole), tagIds: listOf(isWhole), seedPolicy: orNull(isSeedPolicy) },
  ...{ seedingSince: orNull(isNumber), quotaHold: optional(isText), hasOthersChoices: optional(isFlag) },
});
const SHARE = {
  ...{ savePath: isText, name: isText, trackers: isText, addedAt: isNumber, library: isLibrary },
  ...{ rateLimits: optional(isRateLimits), trackerError: optional(isTrackerError), superSeeding: optional(isFlag) },
};
const isHolder = fields({
  ...{ ...SHARE, accountId: isAccount, paused: isFlag, sequential: isFlag, forceStart: isFlag },
  firstLastFirst: optional(isFlag),
});
const isFacts = fields({
  ...{ ...SHARE, id: isId, row: isRow, rowTag: isWhole, ownerId: isAccount, contentName: optional(isText) },
  ...{ totalBytes: isNumber, metadataBytes: isNumber, completedAt: orNull(isNumber) },
  ...{ isPrivate: isFlag, hasMetadata: isFlag, error: orNull(fields({ code: isText, message: isText })) },
  holders: optional(listOf(isHolder)),
});

/** Lines are kept (api/log-records.ts), with what is in their fields. */
const isLogValue: Check = (value) =>
  value === null || isText(value) || ['number', 'boolean', 'undefined'].includes(typeof value);
const isLogFields: Check = (value) => isFields(value) && Object.values(value).every(isLogValue);

const PAYLOADS: ReadonlyMap<unknown, Check> = new Map([
  ['torrents.added', fields({ torrents: listOf(isFacts) })],
  ['torrent.changed', fields({ facts: isFacts })],
  [
    'torrent.removed',
    fields({ id: isId, moved: optional(fields({ down: isNumber, up: isNumber })), givenTo: optional(isText) }),
  ],
  [
    'files.left',
    fields({
      ...{ id: isId, ownerId: isAccount, name: isText, path: isText },
      error: fields({ code: isText, message: isText }),
    }),
  ],
  // The table of figures is of this process, and told by rows.
  ['stats.table', () => false],
  ['lease.wanted', fields({ asked: isWhole })],
  [
    'log',
    fields({ level: (level) => LOG_LEVELS.some((known) => known === level), message: isText, fields: isLogFields }),
  ],
]);

/** One of a kind that is not known here passes: nobody listens to it. */
export function isEvent(value: unknown): boolean {
  if (!isFields(value) || typeof value['name'] !== 'string') return false;
  return PAYLOADS.get(value['name'])?.(value['payload']) ?? true;
}

export const isFailure = fields({ code: isText, message: isText, data: optional(isFields), stack: optional(isText) });

/** Whether it is the outcome of a call; what it has for a value is whatever the call returns. */
export function isOutcome(value: unknown): boolean {
  if (!isFields(value)) return false;
  return value['kind'] === 'done' || (value['kind'] === 'failed' && isFailure(value['error']));
}
