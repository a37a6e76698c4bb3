// Where a torrent comes from that a URL names: a magnet, or what is fetched for the account.
import type { TorrentSource } from '../../../shared-protocol/commands/adding.js';
import { isMagnetText } from '../../../shared-protocol/magnet-text.js';
import type { Account } from '../../auth/account.js';
import type { Egress, Fetched } from '../../egress/egress.js';
import { RequestError } from '../../errors.js';

/** docs/api.md, "Limits". */
export const MAX_TORRENT_FILE_BYTES = 10 * 1024 * 1024;

/** The URL may redirect to a magnet. `cookie`: '' for none. @throws RequestError `FETCH_REFUSED`, `FETCH_FAILED` */
export async function sourceAt(
  egress: Pick<Egress, 'fetch'>,
  account: Account,
  url: string,
  cookie = '',
): Promise<TorrentSource> {
  if (isMagnetText(url)) return { kind: 'magnet', uri: url };
  const fetched = await fetchFor(egress, account, url, cookie);
  return fetched.kind === 'magnet' ? { kind: 'magnet', uri: fetched.uri } : { kind: 'metainfo', bytes: fetched.bytes };
}

async function fetchFor(
  egress: Pick<Egress, 'fetch'>,
  { id: caller }: Account,
  url: string,
  cookie: string,
): Promise<Fetched> {
  try {
    return await egress.fetch(url, { caller, cookie, maxBytes: MAX_TORRENT_FILE_BYTES });
  } catch (error) {
    if (error instanceof RequestError) throw new RequestError(error.code, `url: ${error.message}`);
    throw error;
  }
}
