// A creation as a task of qBittorrent's torrent creator. Pure.
import type { CreationDto } from '../../../../shared-protocol/dto/creations.js';
import type { CreationState } from '../../../../shared-protocol/creation-state.js';

const STATUSES: Readonly<Record<CreationState, 'Queued' | 'Running' | 'Finished' | 'Failed'>> = {
  waiting: 'Queued',
  listing: 'Running',
  hashing: 'Running',
  done: 'Finished',
  failed: 'Failed',
};

/** `keptSeconds`: from its end until it is forgotten. */
export function toTaskObject(creation: CreationDto, keptSeconds: number) {
  const { id, path, state, bytes_done, bytes_total, piece_length, error, created_at, expires_at } = creation;
  const status = STATUSES[state];
  const isOver = status === 'Finished' || status === 'Failed';
  return {
    taskID: String(id),
    sourcePath: path,
    pieceSize: piece_length,
    format: 'v1',
    status,
    timeAdded: textOf(created_at),
    ...(status !== 'Queued' && { timeStarted: textOf(created_at) }),
    ...(isOver && expires_at > 0 && { timeFinished: textOf(expires_at - keptSeconds) }),
    ...(status === 'Running' && { progress: bytes_total > 0 ? Math.floor((bytes_done / bytes_total) * 100) : 0 }),
    ...(error !== null && { errorMessage: error }),
  };
}

/** ISO 8601. `at`: Unix seconds. */
function textOf(at: number): string {
  return new Date(at * 1_000).toISOString().slice(0, -'.000Z'.length);
}
