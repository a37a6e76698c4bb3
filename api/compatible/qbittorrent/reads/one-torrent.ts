// The torrent that `hash` names, with what its reads share: the access of the caller to it, and its figures at this moment.
import type { Access } from '../../../../shared-protocol/dto/torrents.js';
import { emptyStats, type TorrentStats } from '../../../../shared-protocol/stats-table.js';
import { RequestError } from '../../../errors.js';
import type { TorrentContext } from '../../../routes/route.js';
import { includesAccess, statsOfShare } from '../../../services/library/shares.js';
import { torrentNamed } from '../../selection.js';
import { reading, type Answer, type Call } from '../row.js';

export interface OneTorrent extends TorrentContext, Pick<Call, 'fields'> {
  readonly access: Access;
}

/** A read of one torrent: 404 for one that the caller is not shown, as for one that is not there. */
export function readingOne(run: (one: OneTorrent) => Answer | Promise<Answer>, needed: Access = 'viewer') {
  return reading((call) => run(oneFor(call, needed)));
}

function oneFor(call: Call, needed: Access): OneTorrent {
  const { services, principal, fields } = call;
  const context = torrentNamed(call, fields.given('hash').trim());
  const access = services.library.accessOf(principal.account, context.torrent) ?? 'viewer';
  if (!includesAccess(access, needed)) throw new RequestError('FORBIDDEN');
  return { ...context, fields, access };
}

/** The numbers of its share. */
export function figuresOf({ services, torrent }: TorrentContext): TorrentStats {
  const stats = emptyStats();
  services.library.stats.read(torrent.row, torrent.rowTag, stats);
  return statsOfShare(stats, torrent);
}
