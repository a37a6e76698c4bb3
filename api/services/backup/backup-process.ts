// The process that writes an archive, one at a time.
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { messageOf, type ErrorRecord } from '../../../shared-protocol/errors.js';
import type { BackupParams } from '../../../storage/backup/write-backup.js';

const WORKER = fileURLToPath(new URL('../../../storage/backup/worker.js', import.meta.url));

export type BackupAnswer = { readonly size: number } | ErrorRecord;

export class BackupProcess {
  #child: ChildProcess | null = null;

  /** Never rejects. */
  run(params: BackupParams): Promise<BackupAnswer> {
    const begun = new Promise<BackupAnswer>((resolve, reject) => {
      // Nothing of ours that is for this process alone, as the inspector's port.
      const child = fork(WORKER, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      this.#child = child;
      child.once('message', (answer) => resolve(answer as BackupAnswer)); // of storage/backup/worker.ts
      child.once('error', reject);
      child.once('exit', (code, signal) => {
        this.#child = null;
        reject(new Error(`its process has ended (${signal ?? code})`));
      });
      // Without descriptors for one there is no process, and no way to it.
      if (child.connected) child.send(params, (error) => error && reject(error));
    });
    return begun.catch((error: unknown) => ({ code: 'STORAGE_FAILED', message: messageOf(error) }));
  }

  kill(): void {
    this.#child?.kill('SIGKILL');
  }
}
