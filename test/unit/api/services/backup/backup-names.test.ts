import t from 'tap';
import { ageOfNewest, backupName, outlived, parseBackupName } from '../../../../../api/services/backup/backup-names.js';

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
  t.same(outlived(named, 2, 5 * DAY_S), [backupName(DAY_S, true)]);
  t.same(outlived(named, 3, 5 * DAY_S), []);
});

t.test(
  'a clock that was wrong for a while takes no place from those made since, nor keeps any from being made',
  async (t) => {
    const made = (days: readonly number[]) => days.map((day) => parseBackupName(backupName(day * DAY_S, true))!);
    const [ahead, now] = [made([3_001, 3_002, 3_003]), 4 * DAY_S];
    t.same(outlived([...ahead, ...made([4])], 3, now), [backupName(3_001 * DAY_S, true)], 'not the one just made');
    t.same(outlived([...ahead, ...made([2, 3, 4])], 3, now).toSorted(), ahead.map(({ name }) => name).toSorted());
    t.equal(ageOfNewest([...ahead, ...made([3])], now), DAY_S);
    t.equal(ageOfNewest(ahead, now), now, 'there is none');
    const byHand = parseBackupName(backupName(now, false))!;
    t.equal(ageOfNewest([byHand, ...made([3])], now), DAY_S, 'one made by hand is none made by itself');
  },
);
