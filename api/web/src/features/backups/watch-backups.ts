// The backups of the server, which are looked at again and again: one that is being written is listed as soon as it is there,
// whoever has begun it.
import { createEffect, createSignal, on, type Accessor } from 'solid-js';
import type { BackupDto, BackupsDto } from '../../../../../shared-protocol/dto/backups.js';
import { attempt } from '../../actions/perform.js';
import { call } from '../../net/http.js';
import { createFetched, reloadEvery } from '../../state/fetched.js';
import { whenSignedInAgain } from '../settings/when-signed-in-again.js';

export const BACKUPS_PATH = '/api/backups';
/** A small one is written in less. */
const LOOK_EVERY_MS = 1_000;

export interface WatchedBackups {
  /** null until they have come. */
  readonly value: Accessor<BackupsDto | null>;
  /** Why they cannot be looked at. */
  readonly error: Accessor<string | null>;
  readonly isRunning: Accessor<boolean>;
  /** The last one that was made while one looked, until the next thing is done. */
  readonly made: Accessor<BackupDto | null>;
  begin(): Promise<void>;
  /** Whether it is gone; what was in the way has been shown. */
  remove(name: string): Promise<boolean>;
}

export function watchBackups(): WatchedBackups {
  const { value, error, reload } = createFetched<BackupsDto>(BACKUPS_PATH);
  const [made, setMade] = createSignal<BackupDto | null>(null);
  const [isBeginning, setIsBeginning] = createSignal(false);
  whenSignedInAgain(() => void reload());
  reloadEvery({ reload }, LOOK_EVERY_MS);
  createEffect(
    on(value, (now, before) => {
      const newest = now?.backups[0];
      if (!newest || !before || before.backups.some(({ name }) => name === newest.name)) return;
      setMade(newest);
    }),
  );
  return {
    value,
    error,
    isRunning: () => isBeginning() || (value()?.running ?? false),
    made,
    async begin() {
      setMade(null);
      setIsBeginning(true);
      await attempt(() => call('POST', BACKUPS_PATH));
      await reload();
      setIsBeginning(false);
    },
    async remove(name) {
      setMade(null);
      const isGone = (await attempt(() => call('DELETE', `${BACKUPS_PATH}/${name}`))) !== null;
      await reload();
      return isGone;
    },
  };
}
