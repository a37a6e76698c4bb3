// What is wrong with a torrent, as accounts that may see it are told. Pure.
import { diskStateOf } from '../../../shared-protocol/disk-state.js';
import type { DiagnosisDto } from '../../../shared-protocol/dto/torrents.js';
import type { QuotaHold } from '../../../shared-protocol/library-record.js';
import { reasonIn } from '../../../shared-protocol/reasons.js';
import type { TorrentFacts } from '../../../shared-protocol/events.js';

/** A torrent that a quota holds is told of as its holder is. */
const HELD: { readonly [Why in QuotaHold]: string } = {
  bytes: 'paused: its account has no room for it; it begins when there is',
  active: 'paused: its account runs as many torrents as it may; it begins when there is room',
};

export function diagnosisOf({ error, library }: Pick<TorrentFacts, 'error' | 'library'>): DiagnosisDto {
  const { quotaHold } = library;
  if (!error && quotaHold) {
    return { error: HELD[quotaHold], code: 'QUOTA_EXCEEDED', data: { held: quotaHold }, disk_state: 'ok' };
  }
  if (!error) return { error: null, code: null, disk_state: 'ok' };
  // What a fault of ours says is for the log.
  const message = error.code === 'BUG' ? 'internal error' : error.message;
  const facts = reasonIn(error.data)?.data;
  return { error: message, code: error.code, ...(facts && { data: facts }), disk_state: diskStateOf(error) };
}
