// Many torrents handed over to another engine, one after another: each is away for as long as its own takes.
import type { CommandParams, CommandResult } from '../../shared-protocol/commands.js';
import type { TorrentId } from '../../shared-protocol/ids.js';

export interface Giver {
  give(id: TorrentId, engineId: string): Promise<void>;
}

/** Never rejects for one of them: the others go. */
export async function giveTorrents(
  session: Giver,
  { ids, engineId }: CommandParams<'giveTorrents'>,
): Promise<CommandResult<'giveTorrents'>> {
  const failures: { id: TorrentId; message: string }[] = [];
  for (const id of ids) {
    await session.give(id, engineId).catch((error: unknown) => {
      failures.push({ id, message: error instanceof Error ? error.message : String(error) });
    });
  }
  return { given: ids.length - failures.length, failures };
}
