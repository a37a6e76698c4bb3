// What is handed in to be added (a torrent file or a magnet, with what its account wants of it) becomes a row and metadata.
import type { AddTorrentParams } from '../../shared-protocol/commands/adding.js';
import { NEW_LIBRARY_RECORD } from '../../shared-protocol/library-record.js';
import type { NameRules } from '../../shared-protocol/name-rules.js';
import type { RecordedState } from '../../shared-protocol/recorded-state.js';
import type { TorrentRow } from '../../storage/types.js';
import type { PeerAddress } from '../environment.js';
import { cleanTiers, parseMagnet, parseTorrentFile, topNameOf, type TorrentInfo } from '../metainfo/index.js';
import type { AddedMetainfo } from './adding.js';
import { originRow } from '../torrent/details/origin.js';
import { assertFiles, assertPending, changedPriorities, exclusionChange } from '../torrent/files/file-priorities.js';
import { summaryOf } from '../torrent/summary.js';

/** The field of an add, by which errors name it. */
const PRIORITIES_FIELD = 'file_priorities';

export interface ReadSource {
  readonly row: TorrentRow;
  /** null for a magnet. */
  readonly metainfo: AddedMetainfo | null;
  readonly peers: readonly PeerAddress[];
  readonly nodes: readonly PeerAddress[];
}

/** Priorities that another program had recorded hold for nothing where they name no file. */
function prioritiesWanted(info: TorrentInfo, { recorded, filePriorities, excludedNames = [] }: AddTorrentParams) {
  const wanted = recorded?.filePriorities ?? { ...exclusionChange(info, excludedNames), ...filePriorities };
  return changedPriorities(info.files, null, { ...wanted });
}

/** Names that no rule made are those of POSIX with paths of their own (session/recorded-torrent.ts). */
function rulesRecorded({ names }: RecordedState): NameRules {
  return names === 'raw' ? 'posix' : names;
}

/** Parses what was handed in; throws before anything is stored. */
export function readSource(params: AddTorrentParams, unixMs: number): ReadSource {
  const { source, savePath, ownerId, library = NEW_LIBRARY_RECORD, sequential = false } = params;
  const { paused, firstLastFirst, forceStart, rateLimits, stopAfter, skipCheck } = params;
  const { filePriorities: wanted, excludedNames = [] } = params;
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
    const pending = {
      ...(wanted && { pendingPriorities: wanted }),
      ...(excludedNames.length > 0 && { excludedNames }),
    };
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
    filePriorities: prioritiesWanted(info, params),
    // It is there already.
    ...(stopAfter === 'metadata' && { paused: true, stopAfter: null }),
  };
  return { row: { ...common, ...known }, metainfo: { info, infoBytes }, peers: [], nodes };
}
