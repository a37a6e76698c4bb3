import t from 'tap';
import { backupName, outlived, parseBackupName } from '../../../../../api/services/backup/backup-names.js';

const DAY_S = 86_400;

t.test('names say when a backup was made, and whether by itself', async (t) => {
  t.equal(backupName(1_700_000_000, true), 'swarmd-2023-11-14T22-13-20Z-auto.tar.gz');
  for (const isAutomatic of [true, false]) {
    const name = backupName(1_700_000_000, isAutomatic);
    t.same(parseBackupName(name), { name, createdAt: 1_700_000_000, isAutomatic });
  }
  for (const name of ['../accounts.json', 'swarmd-2026-99-99T00-00-00Z.tar.gz', `${backupName(1, false)}.unfinished`]) {
    t.equal(parseBackupName(name), null, name);
  }
});

t.test('the newest of those made by themselves are kept, and all others', async (t) => {
  const named = [1, 2, 3, 4].map((day) => parseBackupName(backupName(day * DAY_S, day !== 2))!);
  t.same(outlived(named, 2), [backupName(DAY_S, true)]);
  t.same(outlived(named, 3), []);
});
