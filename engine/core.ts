// The engine as the commands see it, in whatever thread: each handler validates, calls the session and answers.
// Nothing here knows how commands arrive.
import { performance } from 'node:perf_hooks';
import type { AddTorrentParams, AddTorrentResult } from '../shared-protocol/commands/adding.js';
import type { EngineHandlers } from '../shared-protocol/commands.js';
import type { EngineOptions } from '../shared-protocol/commands/engine-options.js';
import { AppError } from '../shared-protocol/errors.js';
import type { EngineEvent } from '../shared-protocol/events.js';
import { NEW_LIBRARY_RECORD } from '../shared-protocol/library-record.js';
import type { TorrentId } from '../shared-protocol/ids.js';
import type { NameRules } from '../shared-protocol/name-rules.js';
import type { RecordedState } from '../shared-protocol/recorded-state.js';
import { folderHandlers } from '../storage/folder-handlers.js';
import { localFolders } from '../storage/local-folders.js';
import type { TorrentRow } from '../storage/types.js';
import { LoopDelay } from './util/loop-delay.js';
import { cleanTiers, parseMagnet, parseTorrentFile, topNameOf, type TorrentInfo } from './metainfo/index.js';
import { parseAddress } from './net/address.js';
import type { PeerAddress } from './environment.js';
import type { AddedMetainfo } from './session/adding.js';
import type { Session, SessionEvents } from './session/session.js';
import { holdersOf } from './torrent/holders.js';
import type { Torrent } from './torrent/torrent.js';
import { assertFiles, assertPending, changedPriorities } from './torrent/files/file-priorities.js';
import { metainfoDetail } from './torrent/details/metainfo-detail.js';
import { inspectMany } from './session/inspect-many.js';
import { moveInQueue } from './session/move-in-queue.js';
import { replaceTrackers } from './session/replace-trackers.js';
import { originRow } from './torrent/details/origin.js';
import { contentBytesOf, summaryOf } from './torrent/summary.js';

/** The field of an add, by which errors name it. */
const PRIORITIES_FIELD = 'file_priorities';

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
      return running().queue.move(torrent, torrent.placeFor(position, by));
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

async function addTorrent(session: Session, params: AddTorrentParams, unixMs: number): Promise<AddTorrentResult> {
  const { row, metainfo, peers, nodes } = readSource(params, unixMs);
  if (params.mustExist) {
    if (!session.adding.stays(row.id)) throw new AppError('TORRENT_NOT_FOUND', 'torrent not found', { id: row.id });
    return { id: row.id, existed: true, trackers: row.trackers };
  }
  if (!session.torrents.has(row.id)) refuseLarger(params, contentBytesOf(row.summary));
  const { created, isFirstInQueue: isFirst = false, recorded = null, takeOver = false } = params;
  const hashed = created === undefined ? null : await session.creations.trusted(created, row);
  const existed = !(await session.adding.add(row, metainfo, { hashed, isFirst, recorded, takeOver }));
  const isInsider = session.inside.isInsider(row.ownerId);
  if (!existed && peers.length > 0) session.torrents.find(row.id).addPeers(peers, 'magnet', isInsider);
  if (!existed && !row.summary?.isPrivate) session.addDhtNodes(nodes, row.ownerId);
  return { id: row.id, existed, trackers: row.trackers };
}

async function joinTorrent(session: Session, params: AddTorrentParams, unixMs: number): Promise<void> {
  const { row, metainfo, peers, nodes } = readSource(params, unixMs);
  const torrent = session.torrents.find(row.id);
  refuseLarger(params, Math.max(contentBytesOf(row.summary), torrent.facts().totalBytes));
  // Whether the torrent has its files by now, or gets them with this, is seen when it is joined.
  const chosen = { filePriorities: null, pendingPriorities: params.filePriorities ?? null };
  await torrent.edits.join({ ...holdersOf(row)[0], ...chosen }, metainfo?.infoBytes ?? null);
  if (peers.length > 0) torrent.addPeers(peers, 'magnet', session.inside.isInsider(row.ownerId));
  if (!row.summary?.isPrivate) session.addDhtNodes(nodes, row.ownerId);
}

function refuseLarger({ maxBytes = Infinity }: AddTorrentParams, bytes: number): void {
  if (bytes > maxBytes) throw new AppError('TORRENT_TOO_LARGE', 'torrent: larger than it may be', { bytes, maxBytes });
}

interface ReadSource {
  readonly row: TorrentRow;
  /** null for a magnet. */
  readonly metainfo: AddedMetainfo | null;
  readonly peers: readonly PeerAddress[];
  readonly nodes: readonly PeerAddress[];
}

/** Priorities that another program had recorded hold for nothing where they name no file. */
function prioritiesWanted(
  { files }: TorrentInfo,
  wanted: RecordedState['filePriorities'] | AddTorrentParams['filePriorities'],
) {
  return wanted ? changedPriorities(files, null, { ...wanted }) : null;
}

/** Names that no rule made are those of POSIX with paths of their own (session/recorded-torrent.ts). */
function rulesRecorded({ names }: RecordedState): NameRules {
  return names === 'raw' ? 'posix' : names;
}

/** Parses what was handed in; throws before anything is stored. */
function readSource(params: AddTorrentParams, unixMs: number): ReadSource {
  const { source, savePath, ownerId, library = NEW_LIBRARY_RECORD, sequential = false } = params;
  const { paused, firstLastFirst, forceStart, rateLimits, filePriorities: wanted, stopAfter, skipCheck } = params;
  const { layout = 'original', completePath = savePath, preallocation = 'none', incompleteSuffix, recorded } = params;
  const names = recorded ? rulesRecorded(recorded) : (params.names ?? 'posix');
  const common = {
    ownerId,
    library,
    savePath,
    paused,
    addedAt: recorded?.addedAt || Math.floor(unixMs / 1000),
    completedAt: recorded?.completedAt || null,
    sequential,
    filePriorities: null,
    isClaimed: true as const,
    ...(firstLastFirst && { firstLastFirst }),
    ...(forceStart && { forceStart }),
    ...(rateLimits && { rateLimits }),
    ...(stopAfter && { stopAfter }),
    ...((skipCheck || (recorded && source.kind === 'metainfo')) && { skipCheck: true as const }),
    ...(layout !== 'original' && { layout }),
    ...(completePath !== savePath && { completePath }),
    ...(preallocation !== 'none' && { preallocation }),
    ...(incompleteSuffix !== undefined && { incompleteSuffix }),
    ...(names !== 'windows' && { names }),
  };
  if (source.kind === 'magnet') {
    const { infoHash, name, trackers, webSeeds, selectOnly, peers } = parseMagnet(source.uri, names);
    if (wanted) assertPending(wanted, PRIORITIES_FIELD);
    const pending = wanted ? { pendingPriorities: wanted } : {};
    const given = recorded?.trackers ? cleanTiers(recorded.trackers) : trackers;
    const known = { id: infoHash, name: name ?? infoHash, trackers: given, webSeeds, selectOnly, summary: null };
    return { row: { ...common, ...known, ...pending }, metainfo: null, peers, nodes: [] };
  }
  const { info, infoBytes, trackers, webSeeds, httpSeeds, nodes, origin } = parseTorrentFile(source.bytes, names);
  if (wanted) assertFiles(wanted, info.files, PRIORITIES_FIELD);
  const known = {
    id: info.infoHash,
    name: topNameOf(info),
    trackers: recorded?.trackers ? cleanTiers(recorded.trackers) : trackers,
    webSeeds,
    httpSeeds,
    selectOnly: null,
    summary: summaryOf(info, infoBytes),
    ...originRow(origin, ownerId),
    filePriorities: prioritiesWanted(info, recorded?.filePriorities ?? wanted ?? null),
    // It is there already.
    ...(stopAfter === 'metadata' && { paused: true, stopAfter: null }),
  };
  return { row: { ...common, ...known }, metainfo: { info, infoBytes }, peers: [], nodes };
}
