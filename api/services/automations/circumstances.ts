// What is about an account and not about one torrent: how many it owns, and how much room there is where they lie. Owns: of a
// volume that an account is not told about no rule of it learns anything (services/library/disk-usage.ts).
import { setImmediate as othersRan } from 'node:timers/promises';
import type { Account } from '../../auth/account.js';
import type { Engines } from '../../engines/engines.js';
import type { Library } from '../library/library.js';
import type { VolumeLook } from '../../../shared-protocol/folders.js';
import type { VolumeLooks } from '../library/volume-looks.js';
import type { Circumstances, Sight } from './sight.js';

const COUNTED_AT_A_TIME = 1_000;

export interface CircumstancesDeps {
  readonly library: Pick<Library, 'usageOf'>;
  readonly volumes: { of(engine: string): Pick<VolumeLooks, 'at'> };
  readonly engines: Pick<Engines, 'nameOf'>;
  /** Unix seconds. */
  readonly now: () => number;
}

/** How full volumes are, by engine and path. */
type Looks = ReadonlyMap<string, ReadonlyMap<string, VolumeLook | null>>;

/** `alike` is the same as long as nothing but the time is different. */
export async function circumstancesOf(
  { library, volumes, engines, now }: CircumstancesDeps,
  account: Account,
  sight: Sight,
  asksFreeSpace: boolean,
): Promise<Circumstances & { readonly alike: string }> {
  const looks: Looks = asksFreeSpace ? await looksAt(await pathsOf(sight, engines), volumes) : new Map();
  const { torrents } = library.usageOf(account.id);
  const byDevice = [...looks].map(([engine, byPath]) => [
    engine,
    [...new Map([...byPath.values()].flatMap((look) => (look ? [[look.device, look.freeBytes]] : [])))],
  ]);
  return {
    now: now(),
    torrents,
    freeBytesAt: ({ id, savePath }) => looks.get(engines.nameOf(id))?.get(savePath)?.freeBytes ?? null,
    alike: JSON.stringify([torrents, byDevice]),
  };
}

async function looksAt(
  paths: ReadonlyMap<string, ReadonlySet<string>>,
  volumes: CircumstancesDeps['volumes'],
): Promise<Looks> {
  return new Map(
    await Promise.all([...paths].map(async ([engine, some]) => [engine, await volumes.of(engine).at(some)] as const)),
  );
}

async function pathsOf(sight: Sight, engines: CircumstancesDeps['engines']): Promise<Map<string, Set<string>>> {
  const paths = new Map<string, Set<string>>();
  let seen = 0;
  for (const { id, savePath, ownerId } of sight.torrents()) {
    if (++seen % COUNTED_AT_A_TIME === 0) await othersRan();
    if (savePath === '' || (ownerId !== sight.account.id && sight.account.role !== 'admin')) continue;
    const engine = engines.nameOf(id);
    const some = paths.get(engine) ?? new Set();
    paths.set(engine, some.add(savePath));
  }
  return paths;
}
