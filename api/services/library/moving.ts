// Moving torrents to other save paths, and their files to other paths below them (engine/torrent/move/). Owns where each may go: where the caller may save, and where
// whoever the torrent belongs to may, so that nobody's torrent leaves the home that an administrator gave its owner.
import type { EngineClient } from '../../../shared-protocol/commands.js';
import type { MoveStatus } from '../../../shared-protocol/commands/moves.js';
import type { ShareRef } from '../../../shared-protocol/commands/shares.js';
import type { MoveBody, MoveDto, RenameBody, RenamedDto } from '../../../shared-protocol/dto/torrents.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import type { Account } from '../../auth/account.js';
import type { Engines } from '../../engines/engines.js';
import type { SavePaths } from '../settings/save-paths.js';
import type { ListedTorrent } from './shares.js';

export interface MovingDeps {
  readonly engine: { readonly client: Pick<EngineClient, 'moveTorrent' | 'cancelMove' | 'moveStatus' | 'renamePath'> };
  readonly engines: Pick<Engines, 'nameOf'>;
  readonly savePaths: Pick<SavePaths, 'resolve' | 'tryOut'>;
  readonly findAccount: (id: AccountId) => Account | undefined;
}

export class Moving {
  constructor(private readonly deps: MovingDeps) {}

  /** @throws RequestError `FORBIDDEN`, `PATH_UNUSABLE`; AppError `MOVE_NOT_ALLOWED`, `MOVE_CONFLICT`, `MOVE_TARGET_TAKEN` */
  async move(
    account: Account,
    share: ShareRef,
    { ownerId }: Pick<ListedTorrent, 'ownerId'>,
    { path: wanted, existing }: MoveBody,
  ): Promise<void> {
    const { engine, engines, savePaths, findAccount } = this.deps;
    const isAdmin = account.role === 'admin';
    // On the machine that it is on, whichever those who ask are on.
    const there = { engine: engines.nameOf(share.id) };
    const path = await savePaths.resolve({ ...account, ...there }, wanted, '', 'path');
    const owner = ownerId === account.id || isAdmin ? undefined : findAccount(ownerId);
    if (owner) await savePaths.resolve({ ...owner, ...there }, path, '', 'path');
    if (!existing) await savePaths.tryOut(there, path, 'path');
    await engine.client.moveTorrent({
      ...share,
      path,
      existing: existing ?? false,
      takeOver: isAdmin,
      accountId: account.id,
    });
  }

  /**
   * Gives a file, or all of a folder, another path.
   * @throws AppError `FILE_NOT_FOUND`, `METADATA_UNKNOWN`, `RENAME_INVALID`, `MOVE_NOT_ALLOWED`, `MOVE_CONFLICT`, `MOVE_TARGET_TAKEN`
   */
  async rename({ id: accountId }: Pick<Account, 'id'>, share: ShareRef, { from, to }: RenameBody): Promise<RenamedDto> {
    const { state } = await this.deps.engine.client.renamePath({ ...share, from, to, accountId });
    return { ok: true, state };
  }

  /** @throws AppError `MOVE_CONFLICT` once the files lie at the new place */
  async cancel(share: ShareRef): Promise<void> {
    await this.deps.engine.client.cancelMove(share);
  }

  /** `torrent`: as the caller is shown it. */
  async status(share: ShareRef, { savePath }: Pick<ListedTorrent, 'savePath'>): Promise<MoveDto> {
    return toMoveDto(await this.deps.engine.client.moveStatus(share), savePath !== '');
  }
}

/** Where it goes is not for those to know who are not told where it lies. */
function toMoveDto({ state, path, bytesDone, bytesTotal, error }: MoveStatus, showsPaths: boolean): MoveDto {
  const message = error && (error.code === 'BUG' ? 'internal error' : error.message);
  return {
    state,
    path: showsPaths ? path : null,
    bytes_done: bytesDone,
    bytes_total: bytesTotal,
    error: message,
    code: error?.code ?? null,
  };
}
