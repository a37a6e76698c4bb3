// A link to the whole of a torrent as an archive, for programs that know neither cookies nor keys.
import type { DaemonUnderTest } from './daemon.js';

export async function linkTo(daemon: DaemonUnderTest, id: string): Promise<string> {
  const { json } = await daemon.api<{ readonly path: string }>('POST', `/api/torrents/${id}/links`, {});
  return `${daemon.url}${json.path.replace(/\/files$/, '/zip')}`;
}
