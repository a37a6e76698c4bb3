// The folders below which torrents of this engine may be saved, whatever its front says: where a path really leads is looked
// at here, on the machine that it is on.
import { resolve } from 'node:path';
import type { CommandName, CommandParams } from '../shared-protocol/commands.js';
import { AppError } from '../shared-protocol/errors.js';
import type { Root } from '../shared-protocol/stream/messages.js';
import { isAtOrBelow, realLocation } from '../storage/real-location.js';

export interface RootsOptions {
  /** Real; none: anywhere, but in the data directory and around it. */
  readonly roots: readonly Root[];
  /** Absolute. */
  readonly dataDir: string;
}

type Refused = { readonly [Name in CommandName]?: (params: CommandParams<Name>) => readonly (string | undefined)[] };

/** Commands that name paths, and which. What they name in files that are there already is below these. */
const PATHS: Refused = {
  addTorrent: ({ savePath, completePath }) => [savePath, completePath],
  joinTorrent: ({ savePath, completePath }) => [savePath, completePath],
  moveTorrent: ({ path }) => [path],
  createTorrent: ({ path }) => [path],
};

export class Roots {
  constructor(private readonly options: RootsOptions) {}

  get all(): readonly Root[] {
    return this.options.roots;
  }

  /** @throws AppError `SAVE_PATH_INVALID` */
  async check<Name extends CommandName>(name: Name, params: CommandParams<Name>): Promise<void> {
    const pathsOf = PATHS[name] as ((params: CommandParams<Name>) => readonly (string | undefined)[]) | undefined;
    for (const path of pathsOf?.(params) ?? []) {
      const reason = path === undefined ? null : await this.refusalOf(path);
      if (reason !== null) throw new AppError('SAVE_PATH_INVALID', `save_path ${path}: ${reason}`);
    }
  }

  /** Why nothing may be at a path, by where it really leads; null: it may. */
  async refusalOf(given: string): Promise<string | null> {
    const { roots, dataDir } = this.options;
    const { path } = await realLocation(resolve(given));
    const data = (await realLocation(dataDir)).path;
    if (isAtOrBelow(path, data) || isAtOrBelow(data, path))
      return 'contains or lies in the data directory of the engine';
    if (roots.length === 0 || roots.some((root) => isAtOrBelow(path, root.path))) return null;
    return `outside the roots of the engine: ${roots.map((root) => root.path).join(', ')}`;
  }
}
