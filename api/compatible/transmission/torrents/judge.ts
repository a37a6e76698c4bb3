// The parts of `torrent-set`: each reads what is asked of it, judges it for a torrent, and does it once all is judged.
import type { TorrentContext } from '../../../routes/route.js';
import type { Call } from '../row.js';

/** Does to a torrent what was judged. */
export type Change = (torrent: TorrentContext) => Promise<unknown>;
/** Judges what is to be done to a torrent. */
export type Judge = (torrent: TorrentContext) => Change | Promise<Change>;
/** Reads its part of the arguments; null where they say nothing of it. @throws RequestError `BODY_INVALID` */
export type Part = (call: Call) => Judge | null;
