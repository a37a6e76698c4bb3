// The folders below which torrents of this engine may be saved, whatever its front says: where a path really leads is looked
// at here, on the machine that it is on.
import { resolve } from 'node:path';
import type { CommandName, CommandParams } from '../shared-protocol/commands.js';
import { AppError } from '../shared-protocol/errors.js';
import type { Root } from '../shared-protocol/stream/messages.js';
import { isAtOrBelow, realLocation } from '../storage/real-location.js';
import { BETWEEN_ENGINES, isInSharedFolder } from '../storage/shared-roots/shared-folder.js';

export interface RootsOptions {
  /** Real; none: anywhere, but in the data directory and around it. */
  readonly roots: readonly Root[];
  /** Absolute. */
  readonly dataDir: string;
}

type Named = { readonly [Name in CommandName]?: (params: CommandParams<Name>) => readonly (string | undefined)[] };

/** Commands that save at a path, and which. What they name in torrents that are there already is below these. */
const PATHS: Named = {
  // Of one that is there nothing is saved at the paths of another who adds it, or joins it.
  addTorrent: ({ savePath, completePath, mustExist = false }) => (mustExist ? [] : [savePath, completePath]),
  moveTorrent: ({ path }) => [path],
};

/** Commands that read what lies at a path, and which. */
const READ_PATHS: Named = {
  createTorrent: ({ path }) => [path],
};

const NEAR_DATA_DIRECTORY = 'contains or lies in the data directory of the engine';

export class Roots {
  constructor(private readonly options: RootsOptions) {}

  get all(): readonly Root[] {
    return this.options.roots;
  }

  /** @throws AppError `SAVE_PATH_INVALID` */
  async check<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<void> {
    for (const path of pathsIn(PATHS, name, params)) refuse(path, await this.refusalOf(path));
    for (const path of pathsIn(READ_PATHS, name, params)) refuse(path, await this.hides(path));
  }

  /** Why nothing may be saved at a path, by where it really leads; null: it may. */
  async refusalOf(given: string): Promise<string | null> {
    const { path } = await realLocation(resolve(given));
    const data = (await realLocation(this.options.dataDir)).path;
    return isAtOrBelow(data, path) ? NEAR_DATA_DIRECTORY : this.hides(given);
  }

  /** Why nobody is told what is at a path, by where it really leads; null: it is no secret. */
  async hides(given: string): Promise<string | null> {
    const { roots, dataDir } = this.options;
    const { path } = await realLocation(resolve(given));
    if (isAtOrBelow(path, (await realLocation(dataDir)).path)) return NEAR_DATA_DIRECTORY;
    if (roots.some((root) => root.isShared && isInSharedFolder(path, root.path))) return BETWEEN_ENGINES;
    if (roots.length === 0 || roots.some((root) => isAtOrBelow(path, root.path))) return null;
    return `outside the roots of the engine: ${roots.map((root) => root.path).join(', ')}`;
  }
}

function pathsIn<Name extends CommandName>(named: Named, name: Name, params: CommandParams<Name>): string[] {
  const pathsOf = named[name] as ((params: CommandParams<Name>) => readonly (string | undefined)[]) | undefined;
  return (pathsOf?.(params) ?? []).filter((path) => path !== undefined);
}

function refuse(path: string, reason: string | null): void {
  if (reason !== null) throw new AppError('SAVE_PATH_INVALID', `save_path ${path}: ${reason}`);
}
