// What has happened, as the account that it concerns is told. Pure.
import type { AutomationRun } from '../../../shared-protocol/dto/automations.js';
import type { ErrorRecord } from '../../../shared-protocol/errors.js';
import type { FilesLeft } from '../../../shared-protocol/events.js';
import type { HookEvent } from '../../../shared-protocol/hook-events.js';
import { emptyStats, type StatsReader } from '../../../shared-protocol/stats-table.js';
import { diagnosisOf } from '../library/diagnosis.js';
import type { ListedTorrent } from '../library/shares.js';
import { shownName } from '../library/torrent-dto.js';
import type { News } from './ring.js';

interface HappenedTorrent {
  readonly event: HookEvent;
  readonly torrent: ListedTorrent;
}

/** Torrents, as the account is shown them, have changed. Of most changes it is not told. */
export function newsOfEvents(events: readonly HappenedTorrent[], stats: Pick<StatsReader, 'read'>): News[] {
  return events.flatMap(({ event, torrent }) => {
    if (event === 'completed') return hasDownloaded(torrent, stats) ? newsOfCompletion(torrent) : [];
    return event === 'error' ? newsOfError(torrent) : [];
  });
}

/** False: all of it was found on disk. */
function hasDownloaded({ row, rowTag }: ListedTorrent, stats: Pick<StatsReader, 'read'>): boolean {
  const read = emptyStats();
  return stats.read(row, rowTag, read) && read.totalDown > 0;
}

function newsOfCompletion(torrent: ListedTorrent): News {
  return { kind: 'completed', torrent_id: torrent.id, name: shownName(torrent), merge: 'count' };
}

function newsOfError(torrent: ListedTorrent): News {
  const about = { torrent_id: torrent.id, name: shownName(torrent) };
  const { code, error } = diagnosisOf(torrent);
  const why = { code: code ?? '', message: error ?? '' };
  // A disk is full for all that are on it.
  return code === 'DISK_FULL'
    ? { kind: 'disk_full', ...about, ...why, merge: 'count' }
    : { kind: 'error', ...about, ...why, merge: 'once' };
}

export function newsOfSeeding(torrent: ListedTorrent, reason: string, action: string): News {
  const about = { torrent_id: torrent.id, name: shownName(torrent) };
  return { kind: 'seeding_ended', ...about, code: reason, action, merge: 'count' };
}

/** A disk that takes no deletions takes none of any torrent on it. */
export function newsOfFilesLeft({ id, name, path, error: { code, message } }: FilesLeft): News {
  return { kind: 'files_left', torrent_id: id, name, code, message: `${path}: ${message}`, merge: 'count' };
}

/** Administrators are told, once until they have looked. */
export function newsOfBackupFailing({ code, message }: Pick<ErrorRecord, 'code' | 'message'>): News {
  return { kind: 'backup_failing', torrent_id: null, name: '', count: 0, code, message, merge: 'once' };
}

export interface NamedSource {
  readonly id: number;
  readonly name: string;
}

export function newsOfAdding(source: NamedSource, torrent: ListedTorrent): News {
  return { kind: 'added_by_feed', torrent_id: torrent.id, name: shownName(torrent), source, merge: 'count' };
}

export function newsOfFailing(source: NamedSource, message: string): News {
  return { kind: 'feed_failing', torrent_id: null, name: '', count: 0, source, message, merge: 'once' };
}

export function newsOfRun(source: NamedSource, { kind, torrents, shown }: AutomationRun): News {
  const [first] = shown;
  const message = shown.find(({ error }) => error !== null)?.error ?? '';
  const about = { torrent_id: first?.id ?? null, name: first?.name ?? '', count: torrents };
  return { kind: 'automation', ...about, source, code: kind, message };
}

/** `next`: the day on which the account may upload again, as in `2026-12-01`. */
export function newsOfUploads(next: string): News {
  return { kind: 'upload_used_up', torrent_id: null, name: '', count: 0, code: next };
}
