// torrents/downloadLimit and torrents/uploadLimit: limits of torrents of their own, in bytes per second; 0 is none, and -1
// stands for a torrent that the caller is not shown, as for one that is not there.
import { forEachLimit } from '../../../../shared-protocol/for-each-limit.js';
import type { RateLimits } from '../../../../shared-protocol/commands/limits.js';
import { AppError } from '../../../../shared-protocol/errors.js';
import type { TorrentContext } from '../../../routes/route.js';
import { findTorrent, idsWithAccess } from '../../selection.js';
import { json } from '../answers.js';
import { reading, type Call } from '../row.js';

const NOT_THERE = -1;
const ASKED_AT_A_TIME = 256;

export function readingLimits(direction: keyof RateLimits) {
  return reading(async (call) => {
    const limits = new Map<string, number>();
    const shown: { readonly hash: string; readonly torrent: TorrentContext }[] = [];
    for (const hash of hashesNamed(call)) {
      limits.set(hash, NOT_THERE);
      const torrent = findTorrent(call, hash);
      if (torrent) shown.push({ hash, torrent });
    }
    await forEachLimit(shown, ASKED_AT_A_TIME, async ({ hash, torrent }) => {
      limits.set(hash, await limitOf(torrent, direction));
    });
    return json(Object.fromEntries(limits));
  });
}

/** Hashes as the caller wrote them; `all`: of every torrent in its sight. @throws RequestError `BODY_INVALID` */
function hashesNamed(call: Call): readonly string[] {
  const isAll = call.fields.given('hashes').trim().toLowerCase() === 'all';
  return isAll ? idsWithAccess(call, 'viewer') : call.fields.list('hashes', '|');
}

async function limitOf({ services, share }: TorrentContext, direction: keyof RateLimits): Promise<number> {
  try {
    return (await services.library.rateLimits(share))[direction];
  } catch (error) {
    if (error instanceof AppError && error.code === 'TORRENT_NOT_FOUND') return NOT_THERE;
    throw error;
  }
}
