// Which engines each command is for, written once for all commands that several engines take as one: a new command that has no
// route does not compile. What is said of a torrent goes where it is, what an account begins goes to its engine, limits go to all.
import type { CommandParams, CommandResult, JointClient, JointCommandName } from '../../shared-protocol/commands.js';
import type { ShareRef, TorrentRef } from '../../shared-protocol/commands/shares.js';
import { AppError, unlessEngineAway } from '../../shared-protocol/errors.js';
import { sourceId } from '../../shared-protocol/source-id.js';
import { askAll, askAny, askState, engineFor, inOrder, splitBy, type Split } from './asking.js';
import { isHealth, isNetworkStatus, jointHealth, jointNetworkStatus } from './joint-answers.js';
import { jointNumber, ownNumber, type Routing } from './routing.js';
import type { Adds } from './adds.js';
import type { SharedLimits } from './shared-limits.js';

interface RoutingOfAll extends Routing {
  readonly adds: Adds;
  readonly limits: Pick<SharedLimits, 'set'>;
}

type Route<Name extends JointCommandName> = (
  params: CommandParams<Name>,
  to: RoutingOfAll,
) => Promise<CommandResult<Name>>;
type Routes = { readonly [Name in JointCommandName]: Route<Name> };

/** Commands that name one torrent. */
type TorrentCommandName = {
  [Name in JointCommandName]: CommandParams<Name> extends TorrentRef ? Name : never;
}[JointCommandName];

function byTorrent<Name extends TorrentCommandName>(name: Name): Route<Name> {
  return async (params, to) => {
    const { id } = params as TorrentRef;
    try {
      return await to.ask(engineFor(id, to), name, params);
    } catch (error) {
      if (to.isHandedOver(id)) throw new AppError('ENGINE_AWAY', 'torrent: it is on its way to another engine');
      throw error;
    }
  };
}

/** Commands that name what one engine has given a number. */
type NumberedCommandName<Field extends string> = {
  [Name in JointCommandName]: CommandParams<Name> extends Readonly<Record<Field, number>> ? Name : never;
}[JointCommandName];

function byNumber<Field extends 'reader' | 'creation', Name extends NumberedCommandName<Field>>(
  name: Name,
  field: Field,
): Route<Name> {
  return (params, to) => {
    const { engine, own } = ownNumber((params as Readonly<Record<Field, number>>)[field], to);
    return to.ask(engine, name, { ...params, [field]: own });
  };
}

/** Answers as the first does. */
function toAll<Name extends JointCommandName>(name: Name): Route<Name> {
  return async (params, to) => (await askAll(to, name, () => params))[0] as CommandResult<Name>;
}

const isList = (answer: unknown): answer is CommandResult<'torrentOverlaps'> => Array.isArray(answer);

const engineOfShare = (to: Routing) => (share: ShareRef) => engineFor(share.id, to);

const ROUTES: Routes = {
  addTorrent: (params, to) => to.adds.add(params),
  joinTorrent({ created, on, ...params }, to) {
    const id = sourceId(params.source);
    const place = id === null ? undefined : to.engineOf(id);
    return to.ask(place ?? to.engineOfAccount(params.ownerId, params.savePath, on), 'joinTorrent', params);
  },
  readMetainfo: (params, to) => askAny(to, 'readMetainfo', params),

  leaveTorrent: byTorrent('leaveTorrent'),
  pauseTorrent: byTorrent('pauseTorrent'),
  resumeTorrent: byTorrent('resumeTorrent'),
  recheckTorrent: byTorrent('recheckTorrent'),
  moveTorrent: byTorrent('moveTorrent'),
  cancelMove: byTorrent('cancelMove'),
  renamePath: byTorrent('renamePath'),
  moveStatus: byTorrent('moveStatus'),
  removeTorrent: byTorrent('removeTorrent'),
  addPeers: byTorrent('addPeers'),
  setTorrentRateLimits: byTorrent('setTorrentRateLimits'),
  torrentRateLimits: byTorrent('torrentRateLimits'),
  setTorrentPeerLimits: byTorrent('setTorrentPeerLimits'),
  torrentPeerLimits: byTorrent('torrentPeerLimits'),
  setFilePriorities: byTorrent('setFilePriorities'),
  setSequential: byTorrent('setSequential'),
  setSuperSeeding: byTorrent('setSuperSeeding'),
  setFirstLastFirst: byTorrent('setFirstLastFirst'),
  setForceStart: byTorrent('setForceStart'),
  // Each engine has a queue of its own.
  setQueuePosition: byTorrent('setQueuePosition'),
  addTracker: byTorrent('addTracker'),
  removeTracker: byTorrent('removeTracker'),
  setTrackers: byTorrent('setTrackers'),
  announceNow: byTorrent('announceNow'),
  exportTorrent: byTorrent('exportTorrent'),
  mergeTrackers: byTorrent('mergeTrackers'),
  setLibraryRecord: byTorrent('setLibraryRecord'),
  inspectTorrent: byTorrent('inspectTorrent'),

  async moveInQueue({ shares, to: target }, to) {
    const parts = splitBy(shares, engineOfShare(to));
    await Promise.all(parts.map(({ engine, items }) => to.ask(engine, 'moveInQueue', { shares: items, to: target })));
  },
  // Of an engine that is away nobody is shown details, and others see theirs all the same.
  async inspectTorrents({ shares, parts: details }, to) {
    const parts = splitBy(shares, engineOfShare(to));
    const ask = ({ engine, items }: Split<ShareRef>) =>
      to.ask(engine, 'inspectTorrents', { shares: items, parts: details });
    if (parts.length === 1) return ask(parts[0]!);
    return inOrder(parts, (part) => unlessEngineAway(ask(part), () => part.items.map(() => null)));
  },
  workingTrackers: ({ ids }, to) =>
    inOrder(
      splitBy(ids, (id) => engineFor(id, to)),
      ({ engine, items }) =>
        unlessEngineAway(to.ask(engine, 'workingTrackers', { ids: items }), () => items.map(() => [])),
    ),
  async replaceTrackers(params, to) {
    const parts = splitBy(params.shares, engineOfShare(to));
    // Without any, the first engine judges what was given.
    if (parts.length === 0) return askAny(to, 'replaceTrackers', params);
    const results = await Promise.all(
      parts.map(({ engine, items }) =>
        unlessEngineAway(to.ask(engine, 'replaceTrackers', { ...params, shares: items }), ({ code, message }) => ({
          matches: [],
          failures: items.map(({ id }) => ({ id, error: { code, message } })),
        })),
      ),
    );
    return {
      matches: results.flatMap(({ matches }) => matches),
      failures: results.flatMap(({ failures }) => failures),
    };
  },
  torrentOverlaps: async (params, to) => (await askState(to, 'torrentOverlaps', params, isList)).flat(),

  async openFile(params, to) {
    const engine = engineFor(params.id, to);
    const opened = await to.ask(engine, 'openFile', params);
    return { ...opened, reader: jointNumber(opened.reader, engine, to) };
  },
  readFile: byNumber('readFile', 'reader'),
  closeFile: byNumber('closeFile', 'reader'),

  async createTorrent({ on, ...params }, to) {
    const engine = to.engineOfAccount(params.accountId, params.path, on);
    const { creation } = await to.ask(engine, 'createTorrent', params);
    return { creation: jointNumber(creation, engine, to) };
  },
  creationStatus: byNumber('creationStatus', 'creation'),
  createdTorrent: byNumber('createdTorrent', 'creation'),
  endCreation: byNumber('endCreation', 'creation'),

  // A home is a path on the machine of its account's engine, and says nothing of another that does not share it.
  async setAdopters({ adopters }, to) {
    await askAll(to, 'setAdopters', (engine) => ({
      adopters: adopters.filter((adopter) => to.isAdopterAt(adopter, engine)),
    }));
  },
  setRateLimits: (limits, to) => to.limits.set(limits),
  setPeerLimits: toAll('setPeerLimits'),
  setAccountLimits: toAll('setAccountLimits'),
  setQueueLimits: toAll('setQueueLimits'),
  setBlocklist: toAll('setBlocklist'),
  setInsiders: toAll('setInsiders'),
  async setNetwork(params, to) {
    await askAll(to, 'setNetwork', () => params);
    return jointNetworkStatus(await askState(to, 'networkStatus', {}, isNetworkStatus));
  },
  networkStatus: async (params, to) => jointNetworkStatus(await askState(to, 'networkStatus', params, isNetworkStatus)),
  health: async (params, to) => jointHealth(await askState(to, 'health', params, isHealth)),
};

/** Several engines as one. Rejects as an engine's own client does, and for one that is away with `ENGINE_AWAY`. */
export function jointClient(to: RoutingOfAll): JointClient {
  const entries = Object.entries(ROUTES).map(([name, route]) => [
    name,
    async (params: never) => (route as (params: never, to: RoutingOfAll) => Promise<unknown>)(params, to),
  ]);
  // Object.fromEntries forgets the relation between key and value; each route is that of its name.
  return Object.fromEntries(entries) as JointClient;
}
