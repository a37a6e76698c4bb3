// Notices in words.
import type { NoticeDto } from '../../../../../shared-protocol/dto/notices.js';
import { calendarDay, inert, shortened } from '../../format/quantities.js';
import { worded } from '../../net/worded.js';
import { t, type TextKey } from '../../strings/index.js';
import type { IconName } from '../../ui/icons.jsx';

export const KIND_ICONS: Readonly<Record<NoticeDto['kind'], IconName>> = {
  completed: 'done',
  error: 'warning',
  disk_full: 'warning',
  added_by_feed: 'feed',
  seeding_ended: 'up',
  feed_failing: 'warning',
  automation: 'settings',
  upload_used_up: 'up',
  files_left: 'warning',
  backup_failing: 'warning',
};

const BAD: ReadonlySet<NoticeDto['kind']> = new Set([
  'error',
  'disk_full',
  'feed_failing',
  'files_left',
  'backup_failing',
]);

/** Kinds that somebody has to do something about. */
export function isBad({ kind, code }: Pick<NoticeDto, 'kind' | 'code'>): boolean {
  return BAD.has(kind) || code === 'held';
}

export function sentenceOf({ kind, name, count, source, code }: NoticeDto): string {
  return t(keyOf(kind, code, count), { name: shortened(name), count, source: shortened(source) });
}

/** Says what is known beyond that; empty: nothing. */
export function reasonOf({ kind, code, message, action }: NoticeDto): string {
  if (message !== '') return inert(worded(message));
  if (kind === 'upload_used_up') return t('notices.done.uploadsFrom', { day: calendarDay(code) });
  if (kind !== 'seeding_ended') return '';
  const key = DONE[action];
  return key ? t(key) : '';
}

const DONE: Readonly<Record<string, TextKey>> = {
  pause: 'notices.done.pause',
  remove: 'notices.done.remove',
  remove_with_data: 'notices.done.removeWithData',
  super_seed: 'notices.done.superSeed',
  tag: 'notices.done.tag',
};

function keyOf(kind: NoticeDto['kind'], code: string, count: number): TextKey {
  const isOne = count <= 1;
  switch (kind) {
    case 'completed':
      return isOne ? 'notices.says.completed' : 'notices.says.completedMany';
    case 'error':
      return 'notices.says.error';
    case 'disk_full':
      return isOne ? 'notices.says.diskFull' : 'notices.says.diskFullForMany';
    case 'added_by_feed':
      return isOne ? 'notices.says.added' : 'notices.says.addedMany';
    case 'seeding_ended':
      if (code === 'ratio') return isOne ? 'notices.says.ratio' : 'notices.says.ratioOfMany';
      if (code === 'time') return isOne ? 'notices.says.time' : 'notices.says.timeOfMany';
      return isOne ? 'notices.says.inactive' : 'notices.says.inactiveMany';
    case 'feed_failing':
      return 'notices.says.feedFailing';
    case 'automation':
      if (code === 'held') return 'notices.says.held';
      return isOne ? 'notices.says.acted' : 'notices.says.actedOnMany';
    case 'upload_used_up':
      return 'notices.says.uploadUsedUp';
    case 'files_left':
      return isOne ? 'notices.says.filesLeft' : 'notices.says.filesLeftOfMany';
    case 'backup_failing':
      return 'notices.says.backupFailing';
  }
}
