import t from 'tap';
import { AbsentFolders } from '../../../../engine/disk/absent-folders.js';

void t.test('holds what lies below a folder that was absent, and nothing else', async (t) => {
  const absent = new AbsentFolders();
  t.notOk(absent.hold(['box', 'a']), 'nothing is known');
  absent.add(['box', 'in']);
  t.ok(absent.hold(['box', 'in', 'a']));
  t.ok(absent.hold(['box', 'in', 'deep', 'a']));
  t.notOk(absent.hold(['box', 'in']), 'a file of that name is another matter');
  t.notOk(absent.hold(['box', 'inner', 'a']));
  t.notOk(absent.hold(['in', 'a']));
  absent.add([]);
  t.ok(absent.hold(['a']), 'the root itself');
});
