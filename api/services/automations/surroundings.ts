// What is about an account and not about one torrent: how many it owns, and how much room there is where they lie. Owns: of a
// volume that an account is not told about no rule of it learns anything (services/library/disk-usage.ts).
import { setImmediate as othersRan } from 'node:timers/promises';
import type { Account } from '../../auth/account.js';
import type { Library } from '../library/library.js';
import type { VolumeLook } from '../../../shared-protocol/folders.js';
import type { VolumeLooks } from '../library/volume-looks.js';
import type { Circumstances, Sight } from './sight.js';

const COUNTED_AT_A_TIME = 1_000;

export interface SurroundingsDeps {
  readonly library: Pick<Library, 'usageOf'>;
  readonly volumes: Pick<VolumeLooks, 'at'>;
  /** Unix seconds. */
  readonly now: () => number;
}

/** `alike` is the same as long as nothing but the time is different. */
export async function circumstancesOf(
  { library, volumes, now }: SurroundingsDeps,
  account: Account,
  sight: Sight,
  asksFreeSpace: boolean,
): Promise<Circumstances & { readonly alike: string }> {
  const looks = asksFreeSpace ? await volumes.at(await pathsOf(sight)) : new Map<string, VolumeLook | null>();
  const { torrents } = library.usageOf(account.id);
  const byDevice = new Map([...looks.values()].flatMap((look) => (look ? [[look.device, look.freeBytes]] : [])));
  return {
    now: now(),
    torrents,
    freeBytesAt: (path) => looks.get(path)?.freeBytes ?? null,
    alike: JSON.stringify([torrents, [...byDevice]]),
  };
}

async function pathsOf(sight: Sight): Promise<Set<string>> {
  const paths = new Set<string>();
  let seen = 0;
  for (const { savePath, ownerId } of sight.torrents()) {
    if (++seen % COUNTED_AT_A_TIME === 0) await othersRan();
    if (savePath !== '' && (ownerId === sight.account.id || sight.account.role === 'admin')) paths.add(savePath);
  }
  return paths;
}
