// The engine as the commands see it, in whatever thread: each handler validates, calls the session and answers.
// Nothing here knows how commands arrive.
import { performance } from 'node:perf_hooks';
import type { EngineHandlers } from '../shared-protocol/commands.js';
import type { EngineOptions } from '../shared-protocol/commands/engine-options.js';
import { AppError } from '../shared-protocol/errors.js';
import type { EngineEvent } from '../shared-protocol/events.js';
import type { TorrentId } from '../shared-protocol/ids.js';
import { folderHandlers } from '../storage/folder-handlers.js';
import { localFolders } from '../storage/local-folders.js';
import { addTorrent, joinTorrent } from './session/add-torrent.js';
import { LoopDelay } from './util/loop-delay.js';
import { parseAddress } from './net/address.js';
import type { Session, SessionEvents } from './session/session.js';
import type { Torrent } from './torrent/torrent.js';
import { metainfoDetail } from './torrent/details/metainfo-detail.js';
import { inspectMany } from './session/inspect-many.js';
import { moveInQueue } from './session/move-in-queue.js';
import { replaceTrackers } from './session/replace-trackers.js';

export interface EngineDeps {
  readonly emit: (event: EngineEvent) => void;
  /** Opens store, disk, slab and network for the given options; real ones, or simulated. */
  readonly createSession: (options: EngineOptions, events: SessionEvents) => Promise<Session>;
  readonly unixMs: () => number;
}

export function createEngine({ emit, createSession, unixMs }: EngineDeps): EngineHandlers {
  let session: Session | null = null;
  const startedMs = performance.now();
  const loopDelay = new LoopDelay();

  const running = (): Session => {
    if (!session) throw new AppError('ENGINE_NOT_RUNNING', 'engine: not started');
    return session;
  };
  const torrentOf = (id: TorrentId): Torrent => running().torrents.find(id);

  return {
    async start(options) {
      if (session) throw new AppError('BUG', 'bug: engine started twice');
      session = await createSession(options, {
        onAdded: (torrents) => emit({ name: 'torrents.added', payload: { torrents } }),
        onChanged: (facts) => emit({ name: 'torrent.changed', payload: { facts } }),
        onRemoved: (id, moved, givenTo) =>
          emit({ name: 'torrent.removed', payload: { id, moved, ...(givenTo !== undefined && { givenTo }) } }),
        onFilesLeft: (left) => emit({ name: 'files.left', payload: left }),
        onStatsTable: (table) => emit({ name: 'stats.table', payload: table }),
      });
      await session.start();
      return { peerPort: session.peerPort, torrents: session.torrents.size };
    },
    tellTorrents: () => running().tellTorrents(),
    ...folderHandlers(localFolders),
    readMetainfo: ({ bytes, maxFiles, names = 'posix' }) => metainfoDetail(bytes, maxFiles, names),
    addTorrent: (params) => addTorrent(running(), params, unixMs()),
    joinTorrent: (params) => joinTorrent(running(), params, unixMs()),
    leaveTorrent: ({ id, by }) => torrentOf(id).edits.leave(by, () => Promise.resolve()),
    pauseTorrent: ({ id, by }) => torrentOf(id).setPaused(true, by),
    resumeTorrent: ({ id, by }) => torrentOf(id).setPaused(false, by),
    recheckTorrent: (params) => running().recheck(params),
    moveTorrent: ({ id, by, ...params }) => torrentOf(id).moveTo(params, by),
    cancelMove: ({ id, by }) => torrentOf(id).cancelMove(by),
    renamePath: ({ id, by, ...params }) => torrentOf(id).renamePath(params, by),
    moveStatus: ({ id }) => torrentOf(id).moveStatus(),
    removeTorrent: ({ id, by, deleteData }) => torrentOf(id).edits.leave(by, () => running().remove(id, deleteData)),
    addPeers({ id, peers, accountId }) {
      const torrent = torrentOf(id);
      const addresses = peers.map(parseAddress);
      running().inside.checkTyped(addresses, accountId);
      return { added: torrent.addPeers(addresses, 'manual', true) };
    },
    setAdopters: ({ adopters }) => running().claims.setAdopters(adopters),
    torrentOverlaps: () => running().claims.overlaps(),
    setPeerLimits: ({ maxPeersPerTorrent }) => running().setMaxPeersPerTorrent(maxPeersPerTorrent),
    setRateLimits: (limits) => running().setRateLimits(limits),
    setAccountLimits: ({ limits }) => running().setAccountLimits(limits),
    setTorrentRateLimits: ({ id, by, ...limits }) => torrentOf(id).edits.setRateLimits(limits, by),
    torrentRateLimits: ({ id, by }) => torrentOf(id).rateLimitsOf(by),
    setTorrentPeerLimits: ({ id, by, ...limits }) => torrentOf(id).edits.setPeerLimits(limits, by),
    torrentPeerLimits: ({ id, by }) => torrentOf(id).peerLimitsOf(by),
    setFilePriorities: ({ id, priorities, by }) => torrentOf(id).edits.setFilePriorities(priorities, by),
    setSequential: ({ id, sequential, by }) => torrentOf(id).edits.setSequential(sequential, by),
    setSuperSeeding: ({ id, superSeeding, by }) => torrentOf(id).edits.setSuperSeeding(superSeeding, by),
    setFirstLastFirst: ({ id, firstLastFirst, by }) => torrentOf(id).edits.setFirstLastFirst(firstLastFirst, by),
    setForceStart: ({ id, forceStart, by }) => torrentOf(id).edits.setForceStart(forceStart, by),
    setQueuePosition({ id, position, by }) {
      const torrent = torrentOf(id);
      return running().queue.move(torrent, torrent.placeFor(position, by), by);
    },
    moveInQueue: (params) => moveInQueue(running(), params),
    setInsiders: ({ accountIds }) => running().setInsiders(accountIds),
    setNetwork: (options) => running().setNetwork(options),
    networkStatus: () => running().networkStatus(),
    setBlocklist: ({ lists }) => running().setBlocklist(lists),
    setQueueLimits: (limits) => running().queue.setLimits(limits),
    addTracker: ({ id, url, by, accountId }) => torrentOf(id).edits.addTracker(url, accountId, by),
    removeTracker: ({ id, url, by }) => torrentOf(id).edits.removeTracker(url, by),
    setTrackers: ({ id, tiers, by, accountId }) => torrentOf(id).edits.setTrackers(tiers, accountId, by),
    replaceTrackers: (params) => replaceTrackers(running().torrents, params),
    announceNow: ({ id, by }) => torrentOf(id).announceNow(by),
    workingTrackers: ({ ids }) => ids.map((id) => running().workingTrackers(id)),
    exportTorrent: ({ id, by }) => torrentOf(id).torrentFile(by),
    mergeTrackers: ({ id, tiers, by, accountId }) => torrentOf(id).edits.mergeTrackers(tiers, accountId, by),
    setLibraryRecord: ({ id, by, ...change }) => torrentOf(id).edits.setLibraryRecord(change, by),
    inspectTorrent: ({ id, parts, files, by }) => torrentOf(id).details(parts, files, by),
    inspectTorrents: (params) => inspectMany(running().torrents, params),
    openFile: ({ id, by, index, accountId }) => running().fileReaders.open(torrentOf(id), { index, accountId, by }),
    readFile: (params) => running().fileReaders.read(params),
    closeFile: ({ reader }) => running().fileReaders.close(reader),
    createTorrent: (params) => running().creations.begin(params),
    creationStatus: (params) => running().creations.status(params),
    createdTorrent: (params) => running().creations.torrentFile(params),
    endCreation: (params) => running().creations.end(params),
    health() {
      return { uptimeMs: performance.now() - startedMs, loopDelayP99Ms: loopDelay.p99Ms(), ...running().health() };
    },
    // Where an engine runs, and for how long, its process sees to (engine-process/).
    grantLease() {
      throw new AppError('BUG', 'bug: an engine in a thread needs no lease');
    },
    giveTorrents: (params) => running().exchange.giveAll(params),
    takeTorrents: (params) => running().exchange.take(params),
    async stop({ timeoutMs }) {
      loopDelay.stop();
      await session?.stop(timeoutMs);
      session = null;
    },
  };
}
