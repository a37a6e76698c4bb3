// Torrents with so many files or pieces that their details in one go would keep everybody waiting: asked for, and written,
// some at a time.
import { setImmediate as othersRan } from 'node:timers/promises';
import type { FileDetail } from '../../../../shared-protocol/commands/details.js';
import type { ShareRef } from '../../../../shared-protocol/commands/shares.js';
import type { TorrentFacts } from '../../../../shared-protocol/events.js';
import type { Services } from '../../../routes/services.js';

/** An info dictionary of fewer has ten thousand files at most: some 15 ms of this thread. No spec value. */
export const LARGE_METADATA_BYTES = 256 * 1024;
/** Some two milliseconds of this thread. */
const AT_A_TIME = 1_000;

type Facts = Pick<TorrentFacts, 'metadataBytes'>;

export function isLarge({ metadataBytes }: Facts): boolean {
  return metadataBytes > LARGE_METADATA_BYTES;
}

/** In the order of the list; nothing while the metadata is unknown. Rejects as the engine does. */
export async function filesOf(
  { library }: Pick<Services, 'library'>,
  share: ShareRef,
  facts: Facts,
): Promise<readonly FileDetail[]> {
  if (!isLarge(facts)) return (await library.details([share], ['files']))[0]?.files ?? [];
  const files: FileDetail[] = [];
  for (let total = 1; files.length < total;) {
    const wanted = { from: files.length, count: AT_A_TIME };
    const part = await library.inspect(share, { parts: ['files'], files: wanted });
    if (!part.files?.length) break;
    files.push(...part.files);
    total = part.filesGiven?.total ?? files.length;
  }
  return files;
}

/** JSON of a long list. `shown`: an item as it is written. */
export async function longListText(list: readonly unknown[], shown: (items: unknown) => unknown): Promise<string> {
  const texts: string[] = [];
  for (let from = 0; from < list.length; from += AT_A_TIME) {
    texts.push(JSON.stringify(shown(list.slice(from, from + AT_A_TIME))).slice(1, -1));
    await othersRan();
  }
  return `[${texts.join(',')}]`;
}
