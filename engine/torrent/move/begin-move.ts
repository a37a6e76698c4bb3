// The beginning of a move to another save path: the place there is claimed, and the journal begun; or, where the files are
// there already, the torrent is pointed at them.
import type { MoveParams } from '../../../shared-protocol/commands/moves.js';
import { AppError } from '../../../shared-protocol/errors.js';
import type { Recheck } from '../check/recheck.js';
import type { SwarmManager } from '../swarm/swarm-manager.js';
import { pointAt, type LieAtDeps } from './lie-at.js';
import { storeBegin, type Begun, type MoveParts, type StoreBeginDeps } from './store-begin.js';

export interface BeginMoveDeps extends StoreBeginDeps, LieAtDeps {
  readonly services: LieAtDeps['services'];
  readonly swarmManager: Pick<SwarmManager, 'content' | 'releaseContent' | 'ended'>;
  readonly recheck: Recheck;
}

/** @throws AppError `MOVE_CONFLICT`, `MOVE_TARGET_TAKEN`, `SAVE_PATH_INVALID` */
export async function beginMove(
  deps: BeginMoveDeps,
  parts: MoveParts,
  { path: to, existing = false, takeOver = false, accountId }: MoveParams,
): Promise<Begun> {
  const { record, services, claiming, recheck } = deps;
  const { claims, disk } = services;
  const { other } = parts;
  const { savePath: from } = record.row;
  if ((await claims.learn(to)) === claims.realPath(from)) {
    throw new AppError('SAVE_PATH_INVALID', 'path: the torrent lies there already');
  }
  // Its result would be of both places.
  if (existing && recheck.state === 'running') {
    throw new AppError('MOVE_CONFLICT', 'move: the torrent is being checked');
  }
  const info = other.info();
  disk.savePaths.use(to);
  try {
    if (info) {
      const wanted = { savePath: to, existing, mayTakeOver: takeOver, accountId };
      other.take(await claims.reserveAt(claiming, wanted, info.files));
      const asked = { info, infoThere: info, pathLists: new Map<number, null>() };
      if (!existing) return await storeBegin(deps, parts, { from, to, phase: 'copying' }, asked);
      await checkFirst(deps, parts);
    }
    await pointAt(deps, to, info?.files.length ?? 0);
    other.letGo(from);
    if (info && takeOver) claims.grant(record.row.id);
  } catch (error) {
    other.letGo(to);
    throw error;
  }
  return 'done';
}

/** Nothing of what lies there is served before it is hashed: the torrent is `checking` before it lies there. */
async function checkFirst({ recheck, swarmManager }: BeginMoveDeps, { underWay }: MoveParts): Promise<void> {
  let asked = Promise.resolve();
  underWay.enter('copying', () => (asked = recheck.demand('all', 'person')));
  await asked;
  await swarmManager.ended;
}
