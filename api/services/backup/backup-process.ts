// The process that writes an archive, one at a time.
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ErrorRecord } from '../../../shared-protocol/errors.js';
import type { BackupParams } from '../../../storage/backup/write-backup.js';

const WORKER = fileURLToPath(new URL('../../../storage/backup/worker.js', import.meta.url));

export type BackupAnswer = { readonly size: number } | ErrorRecord;

export class BackupProcess {
  #child: ChildProcess | null = null;

  /** Never rejects. */
  run(params: BackupParams): Promise<BackupAnswer> {
    return new Promise((resolve) => {
      const failed = (message: string): void => resolve({ code: 'STORAGE_FAILED', message });
      // Nothing of ours that is for this process alone, as the inspector's port.
      const child = fork(WORKER, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      this.#child = child;
      child.once('message', (answer) => resolve(answer as BackupAnswer)); // of storage/backup/worker.ts
      child.once('error', (error) => failed(error.message));
      child.once('exit', (code, signal) => {
        this.#child = null;
        failed(`its process has ended (${signal ?? code})`);
      });
      child.send(params, (error) => error && failed(error.message));
    });
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }
}
