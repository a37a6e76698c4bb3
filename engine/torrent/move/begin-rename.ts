// The beginning of a rename: what is to become of the torrent's paths, the claim of the new names, and the journal.
import type { RenameParams } from '../../../shared-protocol/commands/moves.js';
import { AppError } from '../../../shared-protocol/errors.js';
import type { ErrorState } from '../error-state.js';
import type { TorrentServices } from '../session-interface.js';
import type { OtherPlaceDeps } from './other-place.js';
import { assertNobodysPath, planRename } from './plan-rename.js';
import { storeBegin, type Begun, type MoveParts, type StoreBeginDeps } from './store-begin.js';

export interface BeginRenameDeps extends StoreBeginDeps, Pick<OtherPlaceDeps, 'claiming' | 'filesOfOthers'> {
  readonly services: Pick<TorrentServices, 'claims' | 'disk' | 'store'>;
  readonly errorState: Pick<ErrorState, 'filesMissing' | 'error'>;
}

/** @throws AppError as {@link planRename} does; `FILES_MISSING`, `MOVE_TARGET_TAKEN` */
export async function beginRename(deps: BeginRenameDeps, parts: MoveParts, params: RenameParams): Promise<Begun> {
  const { record, services, claiming, errorState } = deps;
  const { claims, disk } = services;
  const { other } = parts;
  const { savePath } = record.row;
  const plan = planRename(services, record.row, params);
  if (!plan) return 'done';
  // What is missing would not be looked for where it was any more.
  if (errorState.filesMissing) throw new AppError('FILES_MISSING', errorState.error?.message ?? 'files are missing');
  disk.savePaths.use(savePath);
  try {
    other.take(await claims.reserveNames(claiming, plan.topNames, params.accountId));
    assertNobodysPath(plan, deps.filesOfOthers(savePath, plan.topNames));
    return await storeBegin(deps, parts, { from: savePath, to: savePath, phase: 'copying', paths: plan.paths }, plan);
  } catch (error) {
    other.letGo(savePath);
    throw error;
  }
}
