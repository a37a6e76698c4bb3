// Which engines of this front are to be left: their torrents on shared roots go to others (draining.ts), and nothing new is saved
// there. Stored, so that all fronts know it and the next start too.
import { z } from 'zod';
import type { Collection } from '../../../storage/types.js';
import { notFound } from '../../errors.js';

export const nodesSchema = z.object({
  /** Names of engines. */
  draining: z.array(z.string()),
});
export type NodesData = z.infer<typeof nodesSchema>;
export const NO_NODES: NodesData = { draining: [] };

export interface NodesDeps {
  readonly collection: Collection<NodesData>;
  readonly engines: { readonly names: readonly string[] };
}

export class Nodes {
  constructor(private readonly deps: NodesDeps) {}

  isDraining(name: string): boolean {
    return this.deps.collection.data.draining.includes(name);
  }

  /** @throws RequestError `NOT_FOUND`; AppError `STORAGE_FAILED` */
  async setDraining(name: string, isDraining: boolean): Promise<void> {
    if (name === '' || !this.deps.engines.names.includes(name)) throw notFound('engine');
    await this.deps.collection.update((data) => {
      const others = data.draining.filter((other) => other !== name);
      data.draining = isDraining ? [...others, name] : others;
    });
  }
}
