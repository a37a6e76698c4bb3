// What is wrong with a torrent, as accounts that may see it are told. Pure.
import { diskStateOf } from '../../../shared-protocol/disk-state.js';
import type { DiagnosisDto } from '../../../shared-protocol/dto/torrents.js';
import type { TorrentFacts } from '../../../shared-protocol/events.js';

export function diagnosisOf({ error }: Pick<TorrentFacts, 'error'>): DiagnosisDto {
  if (!error) return { error: null, code: null, disk_state: 'ok' };
  // What a fault of ours says is for the log.
  const message = error.code === 'BUG' ? 'internal error' : error.message;
  return { error: message, code: error.code, disk_state: diskStateOf(error) };
}
