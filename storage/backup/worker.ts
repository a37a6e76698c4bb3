// The process that writes an archive, apart from the daemon: LMDB lets a second process read a database that another one has open, and
// not a second time the same one; and the daemon answers meanwhile.
import { writeBackup, type BackupParams } from './write-backup.js';

process.once('message', (params) => {
  writeBackup(params as BackupParams) // of api/services/backup/backups.ts
    .then(
      (size) => ({ size }),
      (error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }),
    )
    .then((answer) => process.send?.(answer, () => process.disconnect()))
    .catch(() => process.exit(1));
});
// The daemon has ended.
process.once('disconnect', () => process.exit());
