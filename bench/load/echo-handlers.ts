// What an engine without an engine answers: every command at once. `setPeerLimits` sends as many events first as it is
// told peers.
import type { EngineHandlers } from '../../shared-protocol/commands.js';
import type { EngineEvent } from '../../shared-protocol/events.js';
import { parseInfoHash } from '../../shared-protocol/ids.js';

const id = parseInfoHash('00'.repeat(20));
const event: EngineEvent = { name: 'torrent.removed', payload: { id } };
const nothing = () => undefined;

export const echoHandlers = (emit: (event: EngineEvent) => void): EngineHandlers => ({
  start: () => ({ peerPort: 0, torrents: 0 }),
  addTorrent: () => ({ id, existed: false, trackers: [] }),
  joinTorrent: nothing,
  leaveTorrent: nothing,
  pauseTorrent: nothing,
  resumeTorrent: nothing,
  recheckTorrent: nothing,
  moveTorrent: nothing,
  cancelMove: nothing,
  moveStatus: () => ({ state: 'none', path: null, bytesDone: 0, bytesTotal: 0, error: null }),
  removeTorrent: nothing,
  setAdopters: nothing,
  torrentOverlaps: () => [],
  addPeers: ({ peers }) => ({ added: peers.length }),
  setRateLimits: nothing,
  setTorrentRateLimits: nothing,
  torrentRateLimits: () => ({ downBytesPerSec: 0, upBytesPerSec: 0 }),
  setTorrentPeerLimits: nothing,
  torrentPeerLimits: () => ({ maxPeers: 0, uploadSlots: 0 }),
  setFilePriorities: nothing,
  setSequential: nothing,
  setSuperSeeding: nothing,
  setFirstLastFirst: nothing,
  setForceStart: nothing,
  setQueuePosition: nothing,
  setQueueLimits: nothing,
  setNetwork: () => ({ binding: { kind: 'open' }, proxyAddress: null, peerPort: null }),
  networkStatus: () => ({ binding: { kind: 'open' }, proxyAddress: null, peerPort: null }),
  setBlocklist: nothing,
  setInsiders: nothing,
  addTracker: nothing,
  removeTracker: nothing,
  setTrackers: nothing,
  replaceTrackers: () => ({ matches: [], failures: [] }),
  announceNow: () => ({ announced: 0, waiting: 0, nextAnnounce: 0 }),
  exportTorrent: () => new Uint8Array(0),
  mergeTrackers: nothing,
  setLibraryRecord: nothing,
  inspectTorrent: () => ({}),
  openFile: () => ({ reader: 0, path: '', sizeBytes: 0 }),
  readFile: () => new Uint8Array(0),
  closeFile: () => undefined,
  createTorrent: () => ({ creation: 0 }),
  creationStatus: () => ({
    state: 'waiting',
    bytesDone: 0,
    bytesTotal: 0,
    files: 0,
    pieceLength: 0,
    id: null,
    error: null,
  }),
  createdTorrent: () => new Uint8Array(0),
  endCreation: nothing,
  setPeerLimits({ maxPeersPerTorrent }) {
    for (let i = 0; i < maxPeersPerTorrent; i++) emit(event);
  },
  health: () => ({
    uptimeMs: 0,
    loopDelayP99Ms: 0,
    torrents: 0,
    connections: 0,
    slabUsedBytes: 0,
    bans: 0,
    failedPieces: 0,
    wastedBytes: 0,
  }),
  stop: nothing,
});
