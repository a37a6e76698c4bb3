// The process that writes an archive, apart from the daemon: LMDB lets a second process read a database that another one has open, and
// not a second time the same one; and the daemon answers meanwhile.
import { toErrorRecord } from '../../shared-protocol/errors.js';
import { writeBackup, type BackupParams } from './write-backup.js';

process.once('message', (params) => {
  writeBackup(params as BackupParams) // of api/services/backup/backups.ts
    .then(
      (size) => ({ size }),
      (error: unknown) => toErrorRecord(error),
    )
    .then((answer) => process.send?.(answer, () => process.disconnect()))
    .catch(() => process.exit(1));
});
// The daemon has ended.
process.once('disconnect', () => process.exit());
