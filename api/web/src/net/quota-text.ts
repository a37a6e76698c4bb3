// The sentence about a bound that is reached, of an account or of all, in the language of the page. Pure.
import { bytes, calendarDay } from '../format/quantities.js';
import { t } from '../strings/index.js';

/** `of`: what there is too much of; `held`: a torrent that waits for room. null: the page has no sentence for it. */
export function quotaText({ held, of, used, max, wanted, from }: Readonly<Record<string, unknown>>): string | null {
  if (held === 'bytes') return t('server.heldByBytes');
  if (held === 'active') return t('server.heldByActive');
  if (of === 'removals') return t('server.tooMany');
  if (typeof max !== 'number') return null;
  if (of === 'uploaded')
    return isDay(from) ? t('server.quota.uploaded', { max: bytes(max), day: calendarDay(from) }) : null;
  if (typeof used !== 'number') return t('server.quota.most', { count: max });
  if (of === 'torrents' || of === 'running') return t(`server.quota.${of}`, { used, max });
  if (of !== 'bytes') return null;
  const room = { used: bytes(used), max: bytes(max) };
  return typeof wanted === 'number'
    ? t('server.quota.wanted', { ...room, wanted: bytes(wanted) })
    : t('server.quota.bytes', room);
}

/** A day as in 2026-12-01. */
function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
}
