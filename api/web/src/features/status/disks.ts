// Which of the disks is worth the place in the status bar, and what is said of each. Pure.
import type { DiskDto } from '../../../../../shared-protocol/dto/status.js';
import { bytes } from '../../format/quantities.js';
import { t } from '../../strings/index.js';

/** The share of a disk that is little, and what is not little however large the disk. */
const LITTLE = 0.05;
const ENOUGH_BYTES = 50 * 1024 ** 3;

export function isNearlyFull({ total_bytes: total, free_bytes: free }: DiskDto): boolean {
  return total !== null && free !== null && free < Math.min(total * LITTLE, ENOUGH_BYTES);
}

/** The one that is nearly full, the fullest of several; else where new torrents go. */
export function diskShown(disks: readonly DiskDto[]): DiskDto | undefined {
  const full = disks.filter(isNearlyFull).sort((a, b) => (a.free_bytes ?? 0) - (b.free_bytes ?? 0));
  return full[0] ?? disks.find(({ is_default }) => is_default) ?? disks[0];
}

/** A line for each. */
export function diskTexts(disks: readonly DiskDto[]): readonly string[] {
  return disks.map(({ total_bytes, free_bytes, paths }) => {
    if (total_bytes === null || free_bytes === null)
      return [paths[0], t('status.freeUnknown')].filter(Boolean).join(': ');
    const room = { free: bytes(free_bytes), total: bytes(total_bytes) };
    const [where] = paths;
    return where === undefined ? t('status.disk', room) : t('status.diskWhere', { where, ...room });
  });
}
