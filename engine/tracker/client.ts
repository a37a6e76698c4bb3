// What the announce queue asks of a tracker client, HTTP or UDP. A failing or hostile tracker is an outcome with a
// code, never an exception.
import type { AccountId, InfoHash } from '../../shared-protocol/ids.js';
import type { PeerAddress } from '../environment.js';
import type { AnnounceEvent, AnnounceFigures, AnnounceIdentity } from './types.js';

export type TrackerErrorCode =
  /** The tracker's own `failure reason` (BEP 3) or error packet (BEP 15). */
  | 'TRACKER_FAILURE'
  | 'TRACKER_TIMEOUT'
  /** No address, refused, reset, TLS failed. */
  | 'TRACKER_UNREACHABLE'
  | 'TRACKER_HTTP_STATUS'
  | 'TRACKER_REPLY_TOO_LARGE'
  | 'TRACKER_REPLY_INVALID'
  /** Our own rules forbid the URL, a redirect, or the address it resolves to. */
  | 'TRACKER_REFUSED'
  /** Given up because the torrent stopped or the queue closes. */
  | 'TRACKER_ABORTED';

export interface TrackerFailure {
  readonly kind: 'failed';
  readonly code: TrackerErrorCode;
  /** Fit for display: printable, short, without the URL (which may hold a passkey). */
  readonly message: string;
}

export interface AnnounceRequest {
  readonly url: string;
  readonly infoHash: InfoHash;
  readonly event: AnnounceEvent;
  readonly figures: AnnounceFigures;
  readonly identity: AnnounceIdentity;
  /** The account whose tracker it is. */
  readonly account: AccountId;
  readonly mayReachInside: boolean;
  /** The name is resolved: from now on the tracker may hear of it. */
  onSending?(): void;
  /** BEP 3 `tracker id` of an earlier reply, one character per byte (latin1). */
  readonly trackerId: string | null;
}

export interface AnnounceReply {
  readonly kind: 'answered';
  /** Seconds as the tracker sent them, not yet clamped; null when absent or not a number. */
  readonly intervalSec: number | null;
  readonly minIntervalSec: number | null;
  /** `complete`, `incomplete` and `downloaded`; null when not sent. */
  readonly seeds: number | null;
  readonly leechers: number | null;
  readonly downloaded: number | null;
  /** Filtered: only addresses that can be connected to. */
  readonly peers: readonly PeerAddress[];
  readonly trackerId: string | null;
  readonly warning: string | null;
  /** Our address as the tracker sees it (BEP 24). */
  readonly externalIp: string | null;
  /** Whether the tracker that answered is inside. @default outside */
  readonly isInside?: boolean;
}

export interface ScrapeFigures {
  readonly seeds: number;
  readonly leechers: number;
  readonly downloaded: number;
}

export interface ScrapeRequest {
  /** The announce URL; the client derives what to ask (BEP 48, BEP 15). */
  readonly url: string;
  readonly infoHashes: readonly InfoHash[];
  /** On whose behalf. */
  readonly account: AccountId;
  readonly mayReachInside: boolean;
  readonly identity: AnnounceIdentity;
}

export interface ScrapeReply {
  readonly kind: 'scraped';
  /** Hashes the tracker does not know are absent. */
  readonly files: ReadonlyMap<InfoHash, ScrapeFigures>;
}

export type AnnounceOutcome = AnnounceReply | TrackerFailure;
export type ScrapeOutcome = ScrapeReply | TrackerFailure;

/** Outcomes resolve within 30 s (5 s for `stopped`), or soon after `signal` aborts. Never rejects. */
export interface TrackerClient {
  announce(request: AnnounceRequest, signal: AbortSignal): Promise<AnnounceOutcome>;
  scrape(request: ScrapeRequest, signal: AbortSignal): Promise<ScrapeOutcome>;
  /** Lets go of every socket and timer; whatever is under way fails. */
  close(): Promise<void>;
}

export type HttpTrackerClient = TrackerClient;
export type UdpTrackerClient = TrackerClient;

/** Leaves out what a tracker inside answers: some accounts that see the torrent may not reach inside. */
export function withoutAnswer(failure: TrackerFailure): TrackerFailure {
  if (failure.code !== 'TRACKER_FAILURE') return failure;
  return trackerFailure('TRACKER_FAILURE', 'refused by the tracker; what it says is not shown, as it is not public');
}

export function trackerFailure(code: TrackerErrorCode, message: string): TrackerFailure {
  return { kind: 'failed', code, message };
}
