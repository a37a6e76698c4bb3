// SHA-1 of slab regions by the hashing pool, as pieces are verified: as many regions as the slab has room for at once.
import { createHasher, createSlab, type SlabRegion } from '../../engine/hashing/index.js';
import type { Log } from '../../engine/environment.js';
import type { Scenario } from './scenario.js';
import { perSecond } from './micro.js';

const KIB = 1024;
const MIB = 1024 * KIB;
/** The engine's own (api/app/daemon.ts). */
const SLAB_BYTES = 48 * MIB;
const THREADS = 2;
const PIECE_BYTES = [16 * KIB, 256 * KIB, MIB];

const failLoudly = (message: string): never => {
  throw new Error(message);
};
const log: Log = { debug: () => undefined, info: () => undefined, warn: failLoudly, error: failLoudly };

export const hashing: Scenario = {
  kind: 'micro',
  what: `SHA-1 of pieces in the slab, ${THREADS} threads`,
  async measure() {
    const figures = [];
    for (const pieceBytes of PIECE_BYTES) {
      const slab = createSlab(SLAB_BYTES);
      const hasher = createHasher({ slab: slab.buffer, log }, { threads: THREADS });
      const regions: SlabRegion[] = [];
      for (let region = slab.allocate(pieceBytes); region; region = slab.allocate(pieceBytes)) regions.push(region);
      const hashAll = async () => {
        await Promise.all(regions.map((region) => hasher.hashRegion(region, pieceBytes)));
        return (regions.length * pieceBytes) / MIB;
      };
      figures.push({ name: `pieces of ${pieceBytes / KIB} KiB`, value: await perSecond(hashAll), unit: 'MiB/s' });
      await hasher.close();
    }
    return figures;
  },
};
