// The folder that engines share is hidden by every name that leads to it, on whichever file system; other names are nobody's concern.
import t from 'tap';
import { refusePlaces } from '../../../../engine/disk/index.js';
import { isInSharedFolder, isSharedFolder } from '../../../../storage/shared-roots/shared-folder.js';

void t.test('names that some file system takes for it', async (t) => {
  const hidden = [
    '.swarmd',
    '.SWARMD',
    '.Swarmd',
    '.\u017fwarmd',
    '.sw\u200darmd',
    '.swarm\u00add',
    '.swarmd.',
    '.swarmd ',
    'SWARMD~1',
  ];
  for (const name of hidden) t.ok(isSharedFolder(name), JSON.stringify(name));
  for (const name of ['swarmd', '.swarmd2', '.swarm', '..swarmd', 'x.swarmd', '.', '..', '', 'swarmd~']) {
    t.notOk(isSharedFolder(name), JSON.stringify(name));
  }
});

void t.test('it lies in the root, and not below that', async (t) => {
  t.ok(isInSharedFolder('/tank/.swarmd', '/tank'));
  t.ok(isInSharedFolder('/tank/.SWARMD/engines/x', '/tank'));
  for (const path of ['/tank', '/tank/films/.swarmd', '/tank2/.swarmd', '/.swarmd', '/']) {
    t.notOk(isInSharedFolder(path, '/tank'), path);
  }
  t.ok(isInSharedFolder('/.swarmd/x', '/'), 'a root that is all');
});

void t.test('no file of a torrent is opened there', async (t) => {
  const refuses = refusePlaces({ own: '/data', shared: ['/tank'], roots: ['/tank', '/own'] });
  t.match(refuses('/tank/.SwarmD/metainfo/x'), /inside the folder that engines share/);
  t.match(refuses('/data/x'), /inside the data directory/);
  t.match(refuses('/elsewhere'), /outside the roots/);
  t.equal(refuses('/tank/films/x'), null);
  t.equal(refuses('/own/.swarmd/x'), null, 'a root of its own has none');
});
