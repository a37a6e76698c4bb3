// What is noted when the last wanted piece of a torrent is there, for the first time or again (semantics.md section 5).
import type { TorrentProgress } from './pieces/progress.js';
import type { TorrentRecord } from './resume/torrent-record.js';
import type { TorrentServices } from './session-interface.js';

/**
 * Resolves when it is durable. Only the first time counts as completion, for people as for trackers; these do not hear
 * of one that nothing was downloaded for, because files were skipped or were there already.
 */
export async function noteCompletion(
  { announces, clock, log }: Pick<TorrentServices, 'announces' | 'clock' | 'log'>,
  record: TorrentRecord,
  ledger: TorrentProgress,
): Promise<void> {
  const { id, completedAt } = record.row;
  log.info('torrent completed', { torrent: id });
  if (completedAt !== null) return;
  if (ledger.downloadedThisRun) announces.completed(id);
  await record.update({ completedAt: Math.floor(clock.unixMs() / 1000) });
}
