// A program that writes an archive: its data directory and file are its arguments.
import { messageOf } from '../../shared-protocol/errors.js';
import { writeBackup } from '../../storage/backup/write-backup.js';

const [dataDir = '', file = ''] = process.argv.slice(2);
await writeBackup({ dataDir, databaseFile: null, file, program: 'test', now: 1 }).then(
  () => console.log('written'),
  (error: unknown) => console.log(messageOf(error)),
);
