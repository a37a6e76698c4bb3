// What a copy of the state has, and what it leaves out: what would name another machine once it is restored there.
import t from 'tap';
import { join } from 'node:path';
import { copyState } from '../../../storage/backup/copy-state.js';

void t.test('collections are copied, files of this machine are not', async (t) => {
  const root = t.testdir({
    data: {
      'accounts.json': '{}',
      'runtime.json': '{}',
      'engine-link.json': '{}',
      'engine-id': 'x',
      'engine-options': 'x',
    },
    target: {},
  });
  const files = await copyState(join(root, 'data'), join(root, 'target'), null);
  t.same(
    files.map(({ name }) => name),
    ['accounts.json'],
  );
});
