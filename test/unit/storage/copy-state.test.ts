// What a copy of the state has, and what it leaves out: what would name another machine once it is restored there.
import t, { type Test } from 'tap';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyState } from '../../../storage/backup/copy-state.js';
import { sealEnvelope } from '../../../storage/collection-envelope.js';

const accounts = (name: string) => sealEnvelope(1, { name });

function laidOut(t: Test, data: NonNullable<Parameters<Test['testdir']>[0]>) {
  const root = t.testdir({ data, target: {} });
  const [dataDir, target] = [join(root, 'data'), join(root, 'target')] as const;
  return { dataDir, target, copied: () => copyState(dataDir, target, null) };
}

void t.test('collections are copied, files of this machine are not', async (t) => {
  const { copied } = laidOut(t, {
    'accounts.json': accounts('new'),
    'runtime.json': '{}',
    'engine-link.json': '{}',
    'engine-id': 'x',
    'engine-options': 'x',
    notices: { '7.json': sealEnvelope(1, {}) },
  });
  t.same(
    (await copied()).map(({ name }) => name),
    ['accounts.json', 'notices/7.json'],
  );
});

void t.test(
  'of a collection that is damaged the generation before it is copied, which is what the daemon has',
  async (t) => {
    const { copied, target } = laidOut(t, {
      'accounts.json': accounts('new').subarray(0, 100),
      'accounts.json.bak': accounts('old'),
      'labels.json': 'nothing of it can be used',
    });
    t.same(
      (await copied()).map(({ name }) => name),
      ['accounts.json', 'labels.json'],
    );
    t.same(await readFile(join(target, 'accounts.json')), accounts('old'));
    t.equal(await readFile(join(target, 'labels.json'), 'utf8'), 'nothing of it can be used', 'as it lies there');
  },
);

void t.test('what cannot be read is not left out: there is no copy then', async (t) => {
  const collections = { 'accounts.json': accounts('new') };
  for (const name of ['torrents', 'notices', 'traffic']) {
    // No folder, so that looking into it fails by something else than that it is not there.
    await t.rejects(laidOut(t, { ...collections, [name]: 'a file' }).copied(), { code: 'ENOTDIR' }, name);
  }
  const { target } = laidOut(t, collections);
  await t.rejects(copyState('/nowhere/at/all', target, null), { code: 'ENOENT' }, 'the data directory itself');
});
