// Several engines as the services know them, by their names.
import { PLACED_BY_FLEET } from '../../shared-protocol/engine-choice.js';
import { AppError } from '../../shared-protocol/errors.js';
import type { Folders } from '../../shared-protocol/folders.js';
import type { TorrentId } from '../../shared-protocol/ids.js';
import type { Welcome } from '../../shared-protocol/stream/messages.js';
import { engineFolders } from '../engine-client/engine-folders.js';
import type { EngineGroup } from './engine-group.js';
import type { EngineState, Engines } from './engines.js';
import { fewestTorrents, hasPath, type EngineNode } from './nodes.js';
import { engineHaving } from './placement/candidates.js';
import type { PlacementRule } from './placement/rules.js';
import { sharedFolders } from './shared-folders.js';

export interface NamedEngine {
  readonly name: string;
  readonly address: string;
  readonly client: Parameters<typeof engineFolders>[0];
  /** The word that it gave of itself last; null: it was never reached. */
  readonly welcome: Pick<Welcome, 'roots' | 'version'> | null;
}

export class SeveralEngines implements Engines {
  readonly #folders: ReadonlyMap<string, Folders>;

  constructor(
    private readonly engines: readonly NamedEngine[],
    /** null: they are not kept running yet. */
    private readonly group: () => Pick<EngineGroup, 'members' | 'nodes' | 'engineOf' | 'torrentsOf'> | null,
    /** An engine that is away for so long is lost: others take its torrents on shared roots. */
    readonly takeOverAfterMs: number,
    readonly placementRules: readonly PlacementRule[] = [],
  ) {
    this.#folders = new Map(
      engines.map(({ name, client }) => [
        name,
        sharedFolders(engineFolders(client), (path) => this.#foldersOfAnother(name, path)),
      ]),
    );
  }

  get names(): readonly string[] {
    return this.engines.map(({ name }) => name);
  }

  nameFor(wanted: string, path?: string): string {
    if (wanted !== PLACED_BY_FLEET) return wanted || this.#first.name;
    const { nodes } = this;
    return nodes.length === 0 ? this.#first.name : engineHaving(nodes, path).name;
  }

  foldersOf(name: string): Folders {
    return this.#folders.get(this.nameFor(name)) ?? noFolders(name);
  }

  /** The first root of an engine. Of the first engine the settings count. */
  savePathOf(name: string): string | null {
    const engine = this.engines.find((candidate) => candidate.name === name);
    if (!engine || engine === this.#first) return null;
    return engine.welcome?.roots[0]?.path ?? null;
  }

  nameOf(id: TorrentId): string {
    return this.engines[this.group()?.engineOf(id) ?? 0]!.name;
  }

  awaySinceMs(name: string): number | null {
    const members = this.group()?.members ?? [];
    if (name === PLACED_BY_FLEET) {
      const since = members.flatMap(({ awaySinceMs }) => awaySinceMs ?? []);
      return since.length === 0 ? null : Math.min(...since);
    }
    const wanted = this.nameFor(name);
    return members.find((member) => member.name === wanted)?.awaySinceMs ?? null;
  }

  get isWhole(): boolean {
    return this.group()?.members.every(({ isLoaded }) => isLoaded) ?? false;
  }

  get states(): readonly EngineState[] {
    const group = this.group();
    if (!group) return [];
    const { nodes } = group;
    return group.members.map(({ name, awaySinceMs, whyAway, started }, place) => {
      const { address, welcome } = this.engines[place]!;
      return {
        ...{ name, address, awaySinceMs, torrents: group.torrentsOf(place) },
        isDraining: nodes[place]!.isDraining,
        peerPort: started?.peerPort ?? null,
        whyAway: awaySinceMs === null ? null : whyAway,
        version: welcome?.version ?? '',
        roots: welcome?.roots ?? [],
      };
    });
  }

  get nodes(): readonly EngineNode[] {
    return this.group()?.nodes ?? [];
  }

  #foldersOfAnother(name: string, path: string): Folders | null {
    const others = this.nodes.filter((node) => node.name !== name && hasPath(node, path));
    const other = fewestTorrents(others);
    const engine = other && this.engines.find((candidate) => candidate.name === other.name);
    return engine ? engineFolders(engine.client) : null;
  }

  get #first(): NamedEngine {
    return this.engines[0]!;
  }
}

/** The file system of an engine that is none of these. */
function noFolders(name: string): Folders {
  const refuse = () => Promise.reject(new AppError('ENGINE_AWAY', `engine ${name}: it is none of the engines here`));
  return { locate: refuse, tryOut: refuse, isFolder: refuse, volumes: refuse, list: refuse };
}
