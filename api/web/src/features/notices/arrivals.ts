// News at the edge of the page, and by the browser while the page is not looked at, each kind as the account has chosen.
import type { NoticeDto } from '../../../../../shared-protocol/dto/notices.js';
import { t } from '../../strings/index.js';
import { showNote } from '../../ui/toasts.jsx';
import type { NoticeWays } from './ways.js';
import { isBad, reasonOf, sentenceOf } from './words.js';

/** Notes for a burst; the bell counts the others. */
const MAX_AT_ONCE = 3;
const SHOWN_MS = 8_000;

export interface Arrival {
  readonly ways: NoticeWays;
  readonly show: (torrent: string) => void;
}

/** By notice: one that counts another torrent takes its own place. */
const shown = new Map<number, () => void>();

export function showArrivals(added: readonly NoticeDto[], { ways, show }: Arrival): void {
  const wanted = (way: 'toast' | 'browser') => added.filter(({ kind }) => ways.has(kind, way));
  const toasts = wanted('toast');
  for (const notice of toasts.slice(0, MAX_AT_ONCE).toReversed()) {
    shown.get(notice.id)?.();
    const { torrent_id } = notice;
    const reason = reasonOf(notice);
    const takeAway = showNote({
      text: [sentenceOf(notice), reason].filter(Boolean).join(' '),
      look: isBad(notice) ? 'bad' : 'good',
      durationMs: SHOWN_MS,
      ...(torrent_id !== null && { link: { label: t('notices.show'), run: () => show(torrent_id) } }),
    });
    shown.set(notice.id, takeAway);
  }
  for (const id of [...shown.keys()].slice(0, -20)) shown.delete(id);
  if (document.visibilityState === 'visible' || !mayNotify()) return;
  for (const notice of wanted('browser').slice(0, MAX_AT_ONCE)) notify(notice, show);
}

/** Browsers have it over HTTPS and on this machine only. */
export function canNotify(): boolean {
  return isSecureContext && 'Notification' in window;
}

export function mayNotify(): boolean {
  return canNotify() && Notification.permission === 'granted';
}

function notify(notice: NoticeDto, show: Arrival['show']): void {
  try {
    // Of several pages of the account one shows it: the tag is the same.
    const shown = new Notification(sentenceOf(notice), {
      body: reasonOf(notice),
      tag: `swarmd-notice-${notice.id}`,
      icon: '/favicon.svg',
    });
    shown.addEventListener('click', () => {
      window.focus();
      shown.close();
      if (notice.torrent_id !== null) show(notice.torrent_id);
    });
  } catch {
    // Some browsers of phones have them by service workers only.
  }
}
