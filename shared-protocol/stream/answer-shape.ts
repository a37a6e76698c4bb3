// Whether what an engine of its own process answers is the answer to that command. Of several engines one may be a customer's: what it
// answers wrongly ends its stream, and nothing for the others. Answers that nobody looks at may be anything.
import type { CommandName, CommandParams } from '../commands.js';
import { isFailure } from './event-shape.js';
import {
  fields,
  isAnything,
  isFiniteNumber,
  isFlag,
  isId,
  isNumber,
  isRateLimits,
  isText,
  isWhole,
  listOf,
  optional,
  orNull,
  type Check,
} from './shape.js';

/** One that is shown, and nothing else: also one that is none. */
const isFigure: Check = (value) => typeof value === 'number';
const isBytes: Check = (value) => value instanceof Uint8Array;
const isStarted = fields({ peerPort: isWhole, torrents: isWhole });
/** A number of six bytes that it has given to something (engine/session/unguessed-number.ts): those of several engines are made one. */
const isOwnNumber: Check = (value) => isWhole(value) && (value as number) >= 0 && (value as number) < 2 ** 48;
const isCreation = fields({ creation: isOwnNumber });
const isNetworkStatus = fields({ binding: fields({ kind: isText }), peerPort: orNull(isNumber) });
/** Failures, each by the id as it was asked for, and why. */
const failuresOf = (why: Readonly<Record<string, Check>>) => listOf(fields({ id: isText, ...why }));

const isFile = { index: isWhole, path: isText, sizeBytes: isNumber };
const isPeer = fields({
  ...{ host: isText, port: isFigure, client: isText, flags: isText, facts: isAnything },
  ...{ progress: isFigure, relevance: isFigure, downloadRate: isFigure, uploadRate: isFigure },
  ...{ bytesDown: isFigure, bytesUp: isFigure },
});
const isTracker = fields({
  ...{ url: isText, tier: isFigure, status: isText, seeds: isFigure, peers: isFigure, downloaded: isFigure },
  ...{ lastAnnounce: isFigure, nextAnnounce: isFigure, fails: isFigure, message: isText },
});
const isDetails = fields({
  files: optional(listOf(fields({ ...isFile, bytesDone: isNumber, priority: isText }))),
  filesGiven: optional(fields({ total: isWhole, stamp: isText, isSame: isFlag })),
  filePieces: optional(
    fields({
      first: (value) => value instanceof Uint32Array,
      last: (value) => value instanceof Uint32Array,
      availability: orNull((value) => value instanceof Float64Array),
    }),
  ),
  peers: optional(listOf(isPeer)),
  trackers: optional(listOf(isTracker)),
  pieces: optional(fields({ pieceCount: isWhole, pieceLength: isWhole, have: isBytes, availability: orNull(isBytes) })),
  pieceHashes: optional(isBytes),
  metainfo: optional(fields({ comment: isText, createdBy: isText, createdAt: isFigure, source: isText })),
  waste: optional(fields({ failedPieces: isFigure, failedBytes: isFigure, redundantBytes: isFigure })),
  webSeeds: optional(listOf(fields({ url: isText, form: isText, state: isText, downloadRate: isFigure }))),
});

const ANSWERS: { readonly [Name in CommandName]: Check } = {
  start: isStarted,
  tellTorrents: isStarted,
  locateFolder: fields({ kind: isText, path: isText, reason: optional(isText) }),
  tryFolder: fields({ kind: isText, exists: optional(isFlag), code: optional(isText) }),
  isFolder: isFlag,
  volumesOf: listOf(orNull(fields({ device: isFigure, totalBytes: isNumber, freeBytes: isNumber }))),
  listFolder: fields({
    entries: orNull(listOf(fields({ name: isText, kind: isText, realPath: isText, isLink: isFlag }))),
    isComplete: isFlag,
  }),
  readMetainfo: fields({
    ...{ id: isId, name: isText, totalBytes: isNumber, pieceLength: isNumber, pieceCount: isNumber },
    ...{ isPrivate: isFlag, fileCount: isNumber, files: listOf(fields(isFile)), trackerHosts: listOf(isText) },
  }),
  addTorrent: fields({ id: isId, existed: isFlag, trackers: listOf(listOf(isText)) }),
  joinTorrent: isAnything,
  leaveTorrent: isAnything,
  pauseTorrent: isAnything,
  resumeTorrent: isAnything,
  recheckTorrent: isAnything,
  moveTorrent: isAnything,
  cancelMove: isAnything,
  renamePath: fields({ state: isText }),
  moveStatus: fields({
    ...{ state: isText, path: orNull(isText), bytesDone: isNumber, bytesTotal: isNumber, error: orNull(isFailure) },
  }),
  removeTorrent: isAnything,
  addPeers: fields({ added: isNumber }),
  setAdopters: isAnything,
  torrentOverlaps: listOf(fields({ one: isId, other: isId, path: isText })),
  setPeerLimits: isAnything,
  setRateLimits: isAnything,
  setAccountLimits: isAnything,
  setTorrentRateLimits: isAnything,
  torrentRateLimits: isRateLimits,
  setTorrentPeerLimits: isAnything,
  torrentPeerLimits: fields({ maxPeers: isFiniteNumber, uploadSlots: isFiniteNumber }),
  setFilePriorities: isAnything,
  setSequential: isAnything,
  setFirstLastFirst: isAnything,
  setSuperSeeding: isAnything,
  setForceStart: isAnything,
  setQueuePosition: isAnything,
  moveInQueue: isAnything,
  setQueueLimits: isAnything,
  setBlocklist: isAnything,
  setInsiders: isAnything,
  setNetwork: isNetworkStatus,
  networkStatus: isNetworkStatus,
  addTracker: isAnything,
  removeTracker: isAnything,
  setTrackers: isAnything,
  replaceTrackers: fields({
    matches: listOf(fields({ id: isId, addresses: isNumber })),
    failures: failuresOf({ error: isFailure }),
  }),
  announceNow: fields({ announced: isNumber, waiting: isNumber, nextAnnounce: isFigure }),
  workingTrackers: listOf(listOf(isText)),
  exportTorrent: isBytes,
  mergeTrackers: isAnything,
  setLibraryRecord: isAnything,
  inspectTorrent: isDetails,
  inspectTorrents: listOf(orNull(isDetails)),
  openFile: fields({ reader: isOwnNumber, path: isText, sizeBytes: isNumber, isWhole: isFlag }),
  readFile: isBytes,
  closeFile: isAnything,
  createTorrent: isCreation,
  creationStatus: fields({
    ...{ state: isText, bytesDone: isNumber, bytesTotal: isNumber, files: isNumber, pieceLength: isNumber },
    ...{ id: orNull(isId), error: orNull(isFailure) },
  }),
  createdTorrent: isBytes,
  endCreation: isAnything,
  // What is no figure of an engine is left out of what several say (api/engines/joint-answers.ts).
  health: isAnything,
  grantLease: isAnything,
  giveTorrents: fields({ given: isNumber, failures: failuresOf({ message: isText }) }),
  takeTorrents: fields({ taken: isNumber, left: isNumber }),
  stop: isAnything,
};

const hasAsMany =
  (asked: readonly unknown[]): Check =>
  (value) =>
    (value as readonly unknown[]).length === asked.length;

/** Checks of an answer beside its shape, by what was asked: lists are in the order of that. */
const ASKED: { readonly [Name in CommandName]?: (params: CommandParams<Name>) => Check } = {
  volumesOf: ({ paths }) => hasAsMany(paths),
  inspectTorrents: ({ shares }) => hasAsMany(shares),
  workingTrackers: ({ ids }) => hasAsMany(ids),
  readFile:
    ({ count }) =>
    (value) =>
      (value as Uint8Array).length <= count,
};

/** The check of what is answered to a command. */
export function answerTo<Name extends CommandName>(name: Name, params: CommandParams<Name>): Check {
  const hasShape = ANSWERS[name];
  const fits = ASKED[name]?.(params) ?? isAnything;
  return (value) => hasShape(value) && fits(value);
}
