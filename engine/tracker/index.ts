// What the rest of the engine may use of announcing.
export { createAnnounceQueue, type AnnounceQueueDeps } from './announce-queue.js';
export { DEFAULT_ANNOUNCE_QUEUE_OPTIONS, type AnnounceQueueOptions } from './options.js';
export type {
  AnnounceOutcome,
  AnnounceReply,
  AnnounceRequest,
  HttpTrackerClient,
  ScrapeOutcome,
  ScrapeRequest,
  TrackerClient,
  UdpTrackerClient,
} from './client.js';
export type { HttpTrackerClientOptions } from './http-client.js';
export { httpTrackersOnDemand } from './http-on-demand.js';
export { createUdpTrackerClient, type UdpTrackerClientOptions } from './udp-client.js';
export type * from './types.js';
