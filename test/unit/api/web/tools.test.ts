// What the page tells people to enter in programs of others.
import t from 'tap';
import { entriesFor, TOOLS, type Connection } from '../../../../api/web/src/features/tools/tools.js';

const PLAIN: Connection = { host: 'box.example', port: 9480, isSecure: false, base: '', username: 'ann', key: null };
const SECURE: Connection = {
  host: 'box.example',
  port: 443,
  isSecure: true,
  base: '',
  username: 'ann@home',
  key: 'k3y',
};

function entriesOf(id: string, connection: Connection): readonly string[] {
  const tool = TOOLS.find((candidate) => candidate.id === id);
  return (tool ? entriesFor(tool, connection) : []).map(({ field, value }) => `${field}: ${value(connection)}`);
}

void t.test('fields under their own names', async (t) => {
  t.same(entriesOf('sonarr', PLAIN), [
    'Host: box.example',
    'Port: 9480',
    'Use SSL: off',
    'Username: ann',
    'Password: <API key>',
    'Category: tv-sonarr',
  ]);
  t.ok(entriesOf('sonarr', SECURE).includes('Use SSL: on'));
  t.same(entriesOf('flood', SECURE)[0], 'URL: https://box.example:443');
});

void t.test('addresses with a user name in them, and command lines', async (t) => {
  t.same(entriesOf('cross-seed', SECURE), ['torrentClients: ["qbittorrent:https://ann%40home:k3y@box.example:443"]']);
  t.match(entriesOf('transmission-remote', PLAIN)[0], 'http://box.example:9480/transmission --auth');
  t.match(entriesOf('tremc', SECURE)[0], "--ssl --connect 'ann@home:k3y@box.example:443'");
});

void t.test('each program is there once, with something to enter', async (t) => {
  t.equal(new Set(TOOLS.map(({ id }) => id)).size, TOOLS.length);
  for (const { name, entries } of TOOLS) t.ok(entries.length > 0, name);
});
