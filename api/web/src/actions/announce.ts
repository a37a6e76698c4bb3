// Announcing by hand, and what came of it: how many trackers are asked, and how long the others are to be left alone.
import { dateTime } from '../format/quantities.js';
import type { Torrent } from '../live/messages.js';
import { call } from '../net/http.js';
import { torrentAddress } from '../state/row-id.js';
import { t } from '../strings/index.js';
import { showNote } from '../ui/toasts.jsx';
import { attempt } from './perform.js';
import { reannounce } from './torrents.js';

interface Announced {
  readonly announced: number;
  readonly waiting: number;
  readonly next_announce: number;
}

export async function announceNow(torrents: readonly Pick<Torrent, 'id' | 'name'>[]): Promise<void> {
  const [only, ...others] = torrents;
  if (!only || others.length > 0) {
    const count = await reannounce(torrents);
    if (count > 0) showNote({ text: t('verbs.announce.many', { count }) });
    return;
  }
  const answer = await attempt(() => call<Announced>('POST', torrentAddress(only.id, '/announce')));
  if (!answer) return;
  const { announced, waiting, next_announce } = answer;
  const asked = t('verbs.announce.done', { count: announced });
  const left = t('verbs.announce.waiting', { count: waiting, time: dateTime(next_announce) });
  const said = [...(announced > 0 ? [asked] : []), ...(waiting > 0 ? [left] : [])];
  showNote({ text: said.join(' ') || t('verbs.announce.none') });
}
