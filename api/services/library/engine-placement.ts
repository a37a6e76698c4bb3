// Where a new torrent of an account goes that is placed by the fleet: rules and the path say which engines will do (api/engines/placement/),
// room and load which of them it is. Owns what has been placed and is not told of yet, so that a hundred adds at once do not all
// take one disk for the emptiest.
import { Counts } from '../../../shared-protocol/counts.js';
import type { Account } from '../../auth/account.js';
import type { Engines } from '../../engines/engines.js';
import {
  candidatesFor,
  type Candidates,
  type PlacementNode,
  type PlacementWish,
} from '../../engines/placement/candidates.js';
import { rank, type PlacementFigures, type Ranked } from '../../engines/placement/ranking.js';
import { PLACED_BY_FLEET } from '../../../shared-protocol/engine-choice.js';
import { AppError } from '../../../shared-protocol/errors.js';
import { RequestError } from '../../errors.js';
import type { Log } from '../../logging.js';
import type { SavePaths } from '../settings/save-paths.js';
import { volumeOf, type PromisedBytes } from './promised-bytes.js';
import type { EngineVolumes } from './volume-looks.js';

const MIB = 1024 * 1024;
/** Bytes that a torrent leaves free where it is placed; an engine stops writing at 64 MiB. */
const RESERVE_BYTES = 1024 * MIB;

export interface EnginePlacementDeps {
  readonly engines: Pick<Engines, 'nodes' | 'placementRules'>;
  readonly savePaths: Pick<SavePaths, 'defaultOf'>;
  readonly volumes: { of(engine: string): Pick<ReturnType<EngineVolumes['of']>, 'at'> };
  readonly promised: Pick<PromisedBytes, 'look' | 'at' | 'add'>;
  readonly log: Pick<Log, 'debug'>;
}

export interface Wish extends PlacementWish {
  /** null: not known yet. */
  readonly sizeBytes: number | null;
  /** Whether it is refused where there is no room for it: not where its files may be there already. */
  readonly needsRoom: boolean;
}

export interface Place {
  /** The account as if it were on that engine: its paths are there. */
  readonly account: Account;
  /** The engine that was chosen; null: the account is on one, and nothing was. */
  readonly on: string | null;
  /** Whether the path of its category holds there. */
  readonly hasInherited: boolean;
}

type Candidate = PlacementFigures & { readonly node: PlacementNode; readonly volumeName: string };

export class EnginePlacement {
  /** Torrents that are being added, by engine: what engines tell of does not count them yet. */
  readonly #underWay = new Counts<string>();

  constructor(private readonly deps: EnginePlacementDeps) {}

  /** Adds on the engine that is best for it. @throws as {@link look}; whatever `add` throws */
  async within<Result>(account: Account, wish: Wish, add: (place: Place) => Promise<Result>): Promise<Result> {
    if (!this.#isPlaced(account)) return add(onItsOwn(account));
    const looks = await this.#looks(account, wish);
    // From here on nobody else is placed in between.
    const found = this.#candidates(account, wish);
    const { node, volumeName } = this.#best(account, found, wish, looks);
    this.deps.promised.add(volumeName, wish.sizeBytes ?? 0);
    return this.#underWay.during(node.name, () => add(placeOn(account, node, found)));
  }

  /** An engine that would do, for a first look at whether the torrent may be added at all. @throws AppError `ENGINE_AWAY` */
  look(account: Account, wish: PlacementWish): Place {
    if (!this.#isPlaced(account)) return onItsOwn(account);
    const found = this.#candidates(account, wish);
    return placeOn(account, found.there[0]!, found);
  }

  #isPlaced({ engine }: Account): boolean {
    return engine === PLACED_BY_FLEET && this.deps.engines.nodes.length > 0;
  }

  /** One at least. */
  #candidates(account: Account, wish: PlacementWish): Candidates<PlacementNode> {
    const { nodes, placementRules } = this.deps.engines;
    const home = account.role === 'admin' ? '' : account.home;
    const found = candidatesFor(nodes, placementRules, { ...wish, path: wish.path || home });
    if (found.there.length > 0) return found;
    const names = found.wanted.map(({ name }) => name).join(', ');
    throw new AppError('ENGINE_AWAY', `engines ${names}: none is there that takes new torrents`);
  }

  /** Free bytes by volume; of one that engines share all have the same figure. None where there is no choice. */
  async #looks(account: Account, wish: Wish): Promise<ReadonlyMap<string, number>> {
    const { there } = this.#candidates(account, wish);
    const free = new Map<string, number>();
    if (there.length === 1) return free;
    await Promise.all([
      this.deps.promised.look(),
      ...there.map(async (node) => {
        const path = this.#pathOn(account, node, wish);
        const look = (await this.deps.volumes.of(node.name).at([path])).get(path);
        const volume = volumeOf(node, path);
        if (look && !free.has(volume)) free.set(volume, look.freeBytes);
      }),
    ]);
    return free;
  }

  /** @throws RequestError `TORRENT_REFUSED`: there is a choice, and none has room */
  #best(
    account: Account,
    { there }: Candidates<PlacementNode>,
    wish: Wish,
    looks: ReadonlyMap<string, number>,
  ): Candidate {
    const candidates = there.map((node) => {
      const volumeName = volumeOf(node, this.#pathOn(account, node, wish));
      const volume = { freeBytes: looks.get(volumeName) ?? null, promisedBytes: this.deps.promised.at(volumeName) };
      return { node, volumeName, volume, torrents: node.torrents + this.#underWay.of(node.name) };
    });
    const ranked = rank(candidates, (wish.sizeBytes ?? 0) + RESERVE_BYTES);
    if (wish.needsRoom && wish.sizeBytes !== null && ranked.every(({ room }) => room === 'full'))
      throw noRoom(account, wish.sizeBytes, ranked);
    const { candidate, room, unpromisedBytes } = ranked[0]!;
    const { torrents, node } = candidate;
    this.deps.log.debug('torrent placed', { engine: node.name, room, unpromisedBytes, torrents, of: ranked.length });
    return candidate;
  }

  #pathOn(account: Account, { name: engine }: PlacementNode, { path, inherited }: PlacementWish): string {
    return path || inherited || this.deps.savePaths.defaultOf({ ...account, engine });
  }
}

function onItsOwn(account: Account): Place {
  return { account, on: null, hasInherited: true };
}

function placeOn(account: Account, { name }: PlacementNode, { hasInherited }: Candidates<PlacementNode>): Place {
  return { account: { ...account, engine: name }, on: name, hasInherited };
}

/** Words like those of an engine whose disk is full. How much is free on each is for administrators. */
function noRoom(account: Account, sizeBytes: number, ranked: readonly Ranked<Candidate>[]): RequestError {
  const told = ranked.map(({ candidate: { node, volume } }) =>
    account.role === 'admin' ? `${node.name} (${mib(volume.freeBytes ?? 0)} MiB free)` : node.name,
  );
  const message = `no room left on the disks of the engines for ${mib(sizeBytes)} MiB: ${told.join(', ')}`;
  return new RequestError('TORRENT_REFUSED', message);
}

function mib(bytes: number): number {
  return Math.floor(bytes / MIB);
}
