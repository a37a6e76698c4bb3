// Details of any number of torrents, by messages of so many each: neither thread is held up by one that has them all.
import {
  INSPECTED_AT_ONCE,
  type InspectManyParams,
  type TorrentDetails,
} from '../../../shared-protocol/commands/inspection.js';
import { type EngineClient } from '../../../shared-protocol/commands.js';

/** In the order of the shares; null for what is not there. Each is as it was at a moment of its own. */
export async function inspectMany(
  client: Pick<EngineClient, 'inspectTorrents'>,
  { shares, parts }: InspectManyParams,
): Promise<(TorrentDetails | null)[]> {
  const found: (TorrentDetails | null)[] = [];
  for (let from = 0; from < shares.length; from += INSPECTED_AT_ONCE) {
    found.push(...(await client.inspectTorrents({ shares: shares.slice(from, from + INSPECTED_AT_ONCE), parts })));
  }
  return found;
}
