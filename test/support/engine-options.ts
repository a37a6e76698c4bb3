// What engines in tests are started with unless a test says otherwise: nothing that reaches out by itself.
import type { EngineOptions } from '../../shared-protocol/commands/engine-options.js';

export const TEST_ENGINE_OPTIONS: EngineOptions = {
  dataDir: '/unused',
  peerHosts: ['0.0.0.0'],
  peerPort: 0,
  maxPeersPerTorrent: 80,
  maxPeers: 1_000,
  slabBytes: 512 * 1024,
  hashThreads: 1,
  logLevel: 'silent',
  userAgent: 'test',
  encryption: 'off',
  dht: null,
  lsd: false,
  portMapping: false,
  rateLimits: { downBytesPerSec: 0, upBytesPerSec: 0 },
  queueLimits: { maxActiveDownloads: 0, maxActiveSeeds: 0 },
  fetchAllow: ['127.0.0.0/8', '::1/128', '10.0.0.0/8'],
  nameServers: null,
  insiders: [],
  blocklist: [],
};
