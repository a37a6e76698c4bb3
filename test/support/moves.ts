// Calls of a torrent's move, and waiting for its end.
import type { MoveDto } from '../../shared-protocol/dto/torrents.js';
import type { ApiClient, DaemonUnderTest, Reply } from './daemon.js';
import { waitUntil } from './peers/wait-until.js';

export const TIMEOUT_MS = 60_000;

/** Whoever calls: the administrator of a daemon, or another account. */
export type Caller = Pick<DaemonUnderTest, 'api'> | Pick<ApiClient, 'api'>;

export function askMove(caller: Caller, id: string, body: object): Promise<Reply> {
  return caller.api('POST', `/api/torrents/${id}/move`, body);
}

export async function moveOf(caller: Caller, id: string): Promise<MoveDto> {
  return (await caller.api<MoveDto>('GET', `/api/torrents/${id}/move`)).json;
}

/** Until it is not under way any more; how it ended. */
export async function moveEnded(caller: Caller, id: string): Promise<MoveDto> {
  let last: MoveDto | null = null;
  return waitUntil(
    'a move to end',
    TIMEOUT_MS,
    async () => {
      last = await moveOf(caller, id);
      return last.state === 'none' || last.state === 'failed' ? last : undefined;
    },
    () => JSON.stringify(last),
  );
}

export function askRename(caller: Caller, id: string, from: string, to: string): Promise<Reply> {
  return caller.api('POST', `/api/torrents/${id}/rename`, { from, to });
}

/** The last elements of the paths of its files, as they are called where they are read. */
export async function fileNamesOf(
  reader: Pick<DaemonUnderTest, 'download'>,
  id: string,
  count: number,
): Promise<string[]> {
  const names: string[] = [];
  for (let index = 0; index < count; index++) {
    const { headers } = await reader.download(`/api/torrents/${id}/files/${index}`);
    names.push(/filename="?([^"]*)"?/.exec(headers.get('content-disposition') ?? '')?.[1] ?? '');
  }
  return names;
}
