import t from 'tap';
import { mappedPath } from '../../../shared-protocol/path-map.js';

const MAP = [
  { from: '/downloads', to: '/srv/torrents' },
  { from: '/downloads/films/', to: '/mnt/films' },
];

t.test('the longest beginning that fits holds, by whole names', async (t) => {
  t.equal(mappedPath('/downloads/a', MAP), '/srv/torrents/a');
  t.equal(mappedPath('/downloads', MAP), '/srv/torrents');
  t.equal(mappedPath('/downloads/films/a', MAP), '/mnt/films/a');
  t.equal(mappedPath('/downloads2/a', MAP), '/downloads2/a');
  t.equal(mappedPath('/a', [{ from: '/', to: '/mnt' }]), '/mnt/a');
  t.equal(mappedPath('/mnt/a', [{ from: '/mnt', to: '/' }]), '/a');
});
