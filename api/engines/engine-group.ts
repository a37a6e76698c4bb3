// Several engines of one front, to the services one engine: commands go where they belong, events come with the rows of one table,
// and a torrent is in one place. An engine that is away takes its own torrents with it and nobody else's.
import type { Adopter } from '../../shared-protocol/commands/shares.js';
import type { CommandName, CommandParams, CommandResult, JointClient } from '../../shared-protocol/commands.js';
import type { EngineOptions, EngineStarted } from '../../shared-protocol/commands/engine-options.js';
import type { Clock, Timer } from '../../shared-protocol/clock.js';
import { AppError, messageOf } from '../../shared-protocol/errors.js';
import type { EngineEvent, EngineEventListener, TorrentFacts } from '../../shared-protocol/events.js';
import { PLACED_BY_FLEET } from '../../shared-protocol/engine-choice.js';
import type { AccountId, TorrentId } from '../../shared-protocol/ids.js';
import type { EngineReturn } from '../../shared-protocol/transport.js';
import type { Welcome } from '../../shared-protocol/stream/messages.js';
import type { KnownTorrent } from '../../storage/known-torrents.js';
import type { Leases } from '../../storage/types.js';
import type { Log } from '../logging.js';
import { Adds } from './adds.js';
import { AwayTorrents } from './away-torrents.js';
import { jointClient } from './command-routes.js';
import { EngineMember, type MemberDeps } from './engine-member.js';
import type { FiguresPart, JointFigures } from './joint-figures.js';
import { KnownTorrents, type KnownTorrentsStore } from './known-torrents.js';
import { engineForPath, hasPath, NODE_LEASE_MS, nodeLease, sharedRootsIn, type EngineNode } from './nodes.js';
import { LeaseGrants } from './lease-grants.js';
import { engineHaving, enginesSharing } from './placement/candidates.js';
import type { Routing } from './routing.js';
import { SharedLimits } from './shared-limits.js';
import { TorrentPlaces } from './torrent-places.js';

/** Engines that are not there by then come later: a start waits for none of them longer. */
const PATIENCE_MS = 10_000;

/** Events after which something else is known of an engine's torrents. */
const TELLS_OF_TORRENTS: ReadonlySet<EngineEvent['name']> = new Set([
  'torrents.added',
  'torrent.changed',
  'torrent.removed',
]);

/** An engine, with its part of the figures. */
export interface GroupedEngine {
  readonly name: string;
  readonly transport: MemberDeps['transport'] & {
    onEvent(listener: EngineEventListener): void;
    whichAreAwaited(isAwaited: (id: TorrentId) => boolean): void;
    readonly welcome: Pick<Welcome, 'roots'> | null;
  };
  /** The engine's own id; null: it was never reached. */
  readonly engineId: () => string | null;
  readonly figures: FiguresPart;
  /** Given in the file of the engines; null: the first one takes that of the settings, others a free one. */
  readonly peerPort: number | null;
}

export interface GroupDeps {
  /** The first one is that of accounts without one. */
  readonly engines: readonly GroupedEngine[];
  /** The table that the figures are parts of. */
  readonly figures: JointFigures;
  /** The name of the engine that an account is on; '' for the first one, `auto` where the fleet places each torrent. */
  readonly engineOfAccount: (id: AccountId) => string;
  readonly isAdmin: (id: AccountId) => boolean;
  /** Whether this front does what may be done only once. */
  readonly leads: () => boolean;
  /** Leases of engines on shared roots. */
  readonly leases: Pick<Leases, 'claim'>;
  /** Whether an engine is to be left: nothing new is saved there. */
  readonly isDraining: (name: string) => boolean;
  /** `isLoading`: the engine is telling all it has. */
  readonly onEvent: (event: EngineEvent, isLoading: boolean) => void;
  /** Around the telling of all that an engine has; `isOf` tells of a torrent whether it is one of that engine's. */
  readonly onReload: (phase: 'begin' | 'end', isOf: (id: TorrentId) => boolean) => void;
  readonly onBack: () => void;
  /** Returns what an engine is started with, given what the first start was. */
  readonly renew: (options: EngineOptions) => EngineOptions;
  /** All torrents that are shown. */
  readonly torrents: () => Iterable<TorrentFacts>;
  /** Torrents as they are known, kept for the next start. */
  readonly known: KnownTorrentsStore;
  readonly clock: Pick<Clock, 'after' | 'nowMs' | 'unixMs'>;
  readonly log: Log;
}

export class EngineGroup implements Routing {
  readonly engines: readonly number[];
  readonly adds = new Adds(this);
  readonly limits: SharedLimits;
  readonly client: JointClient = jointClient(this);
  readonly #members: readonly EngineMember[];
  readonly #places = new TorrentPlaces();
  readonly #known: KnownTorrents;
  readonly #away = new AwayTorrents({
    torrentsOf: (engine) => this.#torrentsOf(engine),
    tell: (torrents) => this.#tell({ name: 'torrents.added', payload: { torrents } }, true),
  });
  readonly #grants = new LeaseGrants((engine, asked) => this.#grantLease(engine, asked));
  #options: EngineOptions | null = null;

  constructor(private readonly deps: GroupDeps) {
    this.engines = [...deps.engines.keys()];
    this.limits = new SharedLimits(
      deps.engines.map(({ figures: { rates } }, engine) => {
        const isAway = () => this.#members[engine]!.awaySinceMs !== null;
        return {
          rates,
          get isAway() {
            return isAway();
          },
          tell: (share) => this.ask(engine, 'setRateLimits', share),
        };
      }),
      deps.clock,
      deps.leads,
    );
    this.#members = deps.engines.map(
      ({ name, transport }, engine) =>
        new EngineMember({
          ...{ name, transport, clock: deps.clock, log: deps.log },
          onAway: () => void this.#away.tell(engine, true),
          onBack: (how) => this.#back(engine, how),
          options: () => this.#optionsOf(engine),
          onReload: (phase) => this.#reload(engine, phase),
        }),
    );
    this.#known = new KnownTorrents({
      ...{ store: deps.known, clock: deps.clock, log: deps.log },
      engines: this.#members.map((member, engine) => ({
        name: member.name,
        get isLoaded() {
          return member.isLoaded && !member.isLoading;
        },
        get isAway() {
          return member.awaySinceMs !== null;
        },
        torrents: () => this.#knownOf(engine),
      })),
    });
  }

  get members(): readonly EngineMember[] {
    return this.#members;
  }

  /** The number of torrents that are shown of an engine. */
  torrentsOf(engine: number): number {
    return this.#places.countOf(engine);
  }

  /** Once. Resolves when each engine has begun, or is not there in time; it begins when it is. Never rejects. */
  async start(options: EngineOptions): Promise<EngineStarted> {
    const { engines, figures, clock, onEvent } = this.deps;
    this.#options = options;
    this.limits.begin(options.rateLimits);
    figures.onTable((table) => onEvent({ name: 'stats.table', payload: table }, false));
    for (const [engine, { transport }] of engines.entries()) {
      transport.onEvent((event) => this.#hear(engine, event));
      transport.whichAreAwaited((id) => this.isHandedOver(id));
    }
    let timer: Timer | undefined;
    const late = new Promise<void>((resolve) => (timer = clock.after(PATIENCE_MS, resolve)));
    await Promise.all(this.#members.map((member) => this.#beginInTime(member, late)));
    timer?.cancel();
    for (const engine of this.engines) await this.#showKnown(engine);
    const torrents = this.#members.reduce((sum, { started }) => sum + (started?.torrents ?? 0), 0);
    return { peerPort: this.#members[0]?.started?.peerPort ?? 0, torrents };
  }

  /** We go; the engines go on. */
  async close(): Promise<void> {
    this.limits.close();
    for (const engine of this.engines) this.#away.stop(engine);
    for (const member of this.#members) member.close();
    await this.#known.close();
  }

  async ask<Name extends CommandName>(
    engine: number,
    name: Name,
    params: CommandParams<Name>,
  ): Promise<CommandResult<Name>> {
    const call = this.#members[engine]!.client[name] as (params: CommandParams<Name>) => Promise<CommandResult<Name>>;
    return call(params);
  }

  engineOf(id: TorrentId): number | undefined {
    return this.#places.engineOf(id);
  }

  isHandedOver(id: TorrentId): boolean {
    return this.#places.isHandedOver(id);
  }

  engineOfAccount(id: AccountId, path?: string, on?: string): number {
    const name = on ?? this.#nameFor(this.deps.engineOfAccount(id), path);
    const engine = this.#placeOf(name);
    if (engine < 0) throw new AppError('ENGINE_AWAY', `engine ${name}: it is none of the engines here (--engines)`);
    return path === undefined || on !== undefined ? engine : engineForPath(engine, path, this.nodes);
  }

  /** The engines as they share roots, in their order. */
  get nodes(): readonly EngineNode[] {
    return this.deps.engines.map(({ name, transport, engineId }, engine) => ({
      ...{ name, engineId: engineId(), torrents: this.torrentsOf(engine) },
      awaySinceMs: this.#members[engine]!.awaySinceMs,
      isDraining: this.deps.isDraining(name),
      roots: transport.welcome?.roots ?? null,
      sharedRoots: sharedRootsIn(transport.welcome),
      give: (params) => this.ask(engine, 'giveTorrents', params),
      take: (params) => this.ask(engine, 'takeTorrents', params),
    }));
  }

  isAdopterAt({ accountId, home }: Adopter, engine: number): boolean {
    if (this.deps.isAdmin(accountId)) return true;
    const name = this.deps.engineOfAccount(accountId);
    if (name === PLACED_BY_FLEET) return home !== null && this.#isHomeOn(engine, home);
    const own = this.#placeOf(name);
    return (
      own === engine || (home !== null && home !== '' && [own, engine].every((place) => this.#shares(place, home)))
    );
  }

  #isHomeOn(engine: number, home: string): boolean {
    const { nodes } = this;
    return enginesSharing(nodes, home).includes(nodes[engine]!);
  }

  #nameFor(name: string, path?: string): string {
    return name === PLACED_BY_FLEET ? engineHaving(this.nodes, path).name : name;
  }

  #shares(place: number, path: string): boolean {
    const engine = this.deps.engines[place];
    return engine !== undefined && hasPath({ sharedRoots: sharedRootsIn(engine.transport.welcome) }, path);
  }

  /** The place of an engine; -1: it is none of these. */
  #placeOf(name: string): number {
    return name === '' ? 0 : this.#members.findIndex((member) => member.name === name);
  }

  /** Waits for one that loads as long as that takes. */
  async #beginInTime(member: EngineMember, late: Promise<void>): Promise<void> {
    const begun = member.begin();
    await Promise.race([begun, late]);
    if (member.isLoading) await begun;
  }

  #optionsOf(engine: number): EngineOptions {
    if (!this.#options) throw new AppError('ENGINE_NOT_RUNNING', 'engines: not started');
    const options = this.deps.renew(this.#options);
    const { peerPort } = this.deps.engines[engine]!;
    const port = peerPort ?? (engine === 0 ? options.peerPort : 0);
    return {
      ...options,
      ...((peerPort !== null || engine > 0) && { peerPort: port, peerPorts: [] }),
      rateLimits: this.limits.shareOf(engine),
      adopters: options.adopters?.filter((adopter) => this.isAdopterAt(adopter, engine)) ?? [],
    };
  }

  #reload(engine: number, phase: 'begin' | 'end'): void {
    const isOf = (id: TorrentId) => this.#places.engineOf(id) === engine;
    if (phase === 'begin') {
      this.#away.stop(engine);
      this.#places.beginReload(engine);
      return this.deps.onReload(phase, isOf);
    }
    this.deps.onReload(phase, isOf);
    const shown = this.#places.endReload(engine);
    if (shown.length > 0) this.#tell({ name: 'torrents.added', payload: { torrents: shown } }, true);
    const { hidden } = this.#places;
    if (hidden > 0) this.deps.log.warn('torrents are on several engines, and shown of one', { torrents: hidden });
  }

  *#knownOf(engine: number): Iterable<KnownTorrent> {
    const { figures } = this.deps.engines[engine]!;
    for (const facts of this.#torrentsOf(engine)) yield { facts, row: figures.packed(facts.row) };
  }

  *#torrentsOf(engine: number): Iterable<TorrentFacts> {
    for (const facts of this.deps.torrents()) if (this.#places.engineOf(facts.id) === engine) yield facts;
  }

  #back(engine: number, how: EngineReturn): void {
    if (how === 'resumed') void this.#away.tell(engine, false);
    this.deps.onBack();
  }

  /** Shows torrents that an engine had when it was there, but for what another one has now. */
  async #showKnown(engine: number): Promise<void> {
    const member = this.#members[engine]!;
    const { figures } = this.deps.engines[engine]!;
    const tellsItself = () => member.isLoaded || member.isLoading;
    if (tellsItself()) return;
    for await (const known of this.#known.read(engine)) {
      if (tellsItself()) return;
      const torrents = known
        .filter(({ facts }) => this.#places.engineOf(facts.id) === undefined)
        .map(({ facts, row }) => ({ ...facts, row: figures.place(row), isAway: true }));
      for (const facts of torrents) this.#places.tell(engine, facts);
      if (torrents.length > 0) this.#tell({ name: 'torrents.added', payload: { torrents } }, true);
    }
  }

  #hear(engine: number, event: EngineEvent): void {
    if (TELLS_OF_TORRENTS.has(event.name)) this.#known.note(engine);
    const { isLoading } = this.#members[engine]!;
    switch (event.name) {
      case 'torrents.added': {
        for (const facts of event.payload.torrents) this.#takeOver(engine, facts);
        const torrents = event.payload.torrents
          .map((facts) => this.#here(engine, facts))
          .filter((facts) => this.#places.tell(engine, facts));
        if (torrents.length > 0) this.#tell({ name: 'torrents.added', payload: { torrents } }, isLoading);
        return;
      }
      case 'torrent.changed': {
        const facts = this.#here(engine, event.payload.facts);
        if (this.#places.tell(engine, facts)) this.#tell({ name: 'torrent.changed', payload: { facts } }, isLoading);
        return;
      }
      case 'torrent.removed': {
        const { id, givenTo } = event.payload;
        const next = givenTo === undefined ? -1 : this.deps.engines.findIndex(({ engineId }) => engineId() === givenTo);
        if (next >= 0) return this.#places.hand(id, engine, next);
        return this.#remove(engine, event, isLoading);
      }
      case 'files.left':
        if (this.#isOn(engine, event.payload.ownerId)) this.#tell(event, isLoading);
        return;
      case 'lease.wanted':
        return void this.#grants.want(engine, event.payload.asked);
      case 'log':
        return this.#tell(event, isLoading);
      // The table is that of all of them.
      case 'stats.table':
        return;
    }
  }

  /** Whether the account may have torrents there: an engine has nothing to say to others. */
  #isOn(engine: number, id: AccountId): boolean {
    const name = this.deps.engineOfAccount(id);
    return name === PLACED_BY_FLEET || (name === '' ? engine === 0 : name === this.#members[engine]!.name);
  }

  #remove(engine: number, event: Extract<EngineEvent, { name: 'torrent.removed' }>, isLoading: boolean): void {
    const { isShown, next } = this.#places.remove(engine, event.payload.id);
    if (isShown && next) this.#tell({ name: 'torrent.changed', payload: { facts: next } }, isLoading);
    else if (isShown) this.#tell(event, isLoading);
  }

  /** One that another engine had, which is away, on a root of both: it was taken over from there. */
  #takeOver(engine: number, { id, savePath }: TorrentFacts): void {
    const before = this.#places.engineOf(id);
    if (before === undefined || before === engine || this.#members[before]!.awaySinceMs === null) return;
    // Of one that was never reached it is shown as it was before this front began: whoever has it now knows better.
    const isRemembered = this.deps.engines[before]!.transport.welcome === null;
    const isShared = [before, engine].every((place) => this.#shares(place, savePath));
    if (isRemembered || isShared) return this.#places.takeOver(id, engine);
    const [has, tells] = [before, engine].map((place) => this.#members[place]!.name);
    this.deps.log.warn('a torrent of an engine that is away is not shown of another, as they do not share its root', {
      ...{ torrent: id, engine: has!, other: tells! },
    });
  }

  async #grantLease(engine: number, asked: number): Promise<void> {
    const { transport, engineId } = this.deps.engines[engine]!;
    const id = engineId();
    if (id === null) return;
    try {
      const lease = await this.deps.leases.claim(nodeLease(id), id, NODE_LEASE_MS);
      if (lease) await transport.client.grantLease({ asked, epoch: lease.epoch, ttlMs: NODE_LEASE_MS });
    } catch (error) {
      const reason = messageOf(error);
      this.deps.log.warn('lease not granted', { engine: this.#members[engine]!.name, reason });
    }
  }

  #tell(event: EngineEvent, isLoading: boolean): void {
    this.deps.onEvent(event, isLoading);
  }

  #here(engine: number, facts: TorrentFacts): TorrentFacts {
    return { ...facts, row: this.deps.engines[engine]!.figures.rowOf(facts.row), isAway: false };
  }
}
