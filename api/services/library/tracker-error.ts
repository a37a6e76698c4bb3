// Why a torrent's trackers do not work, as accounts are told. Pure.
import type { Access, TrackerErrorCode, TrackerErrorDto } from '../../../shared-protocol/dto/torrents.js';
import type { TrackerError } from '../../../shared-protocol/events.js';
import { maskSaid } from '../../../shared-protocol/masking.js';
import { trackerHostOf } from '../../../shared-protocol/tracker-host.js';

/** Ways in which trackers say that they do not know a torrent, or know it no more. */
const UNREGISTERED = [
  /\bun-?registered\b/,
  /\bnot (?:yet )?(?:registered|authori[sz]ed for use)\b/,
  /\b(?:torrent|info_?-?\s?hash) (?:was |is |has been )?(?:not found|unknown|deleted|removed|trumped|nuked|pruned|banned)\b/,
  /\b(?:unknown|invalid|no such) (?:torrent|info_?-?\s?hash)\b/,
  /\btorrent (?:does not|doesn't) exist\b/,
  /\btorrent .{0,40}\bnot .{0,20}\b(?:exist|found|registered)\b/,
  /^(?:trumped|nuked|dead|dupe|pruned)\b/,
];

/** The error for an account with this access: viewers see no passkey that the tracker repeats. */
export function toTrackerErrorDto(error: TrackerError, access: Access): TrackerErrorDto {
  const { url, message } = error;
  return {
    code: codeOf(error),
    host: trackerHostOf(url),
    message: access === 'viewer' ? maskSaid(url, message) : message,
  };
}

/** The meaning of a failure, by who said it and how. */
export function codeOf({ message, isRefusal }: Pick<TrackerError, 'message' | 'isRefusal'>): TrackerErrorCode {
  if (!isRefusal) return 'UNREACHABLE';
  const said = message.toLowerCase();
  return UNREGISTERED.some((pattern) => pattern.test(said)) ? 'UNREGISTERED' : 'REFUSED';
}
