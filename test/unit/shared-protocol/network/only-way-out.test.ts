// Sockets to other machines are made in one place: a part that made its own would go by any interface, and around the proxy.
import t from 'tap';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const ROOMS = ['engine', 'engine-process', 'api', 'shared-protocol', 'storage'];
/** The page in the browser is a program of its own. */
const APART = 'api/web/';
const MAKERS: ReadonlySet<string> = new Set([
  ...['connect', 'createConnection', 'createServer', 'createSocket', 'lookup', 'promises', 'request', 'get'],
  'default',
]);
/** Files that make sockets, and why they may. */
const MAY: Readonly<Record<string, string>> = {
  'shared-protocol/network/outlet.ts': 'the way out itself',
  'shared-protocol/network/name-relays.ts': 'its ports on loopback',
  'shared-protocol/names/dns-channel.ts': 'asks the relays while the way out is bound',
  'shared-protocol/names/name-resolver.ts': 'does not ask the system meanwhile',
  'api/egress/pinned-connection.ts': 'TLS over sockets of the way out',
  'api/egress/pinned-request.ts': 'HTTP over sockets of the way out while it is bound',
  'api/http/server.ts': 'the listener of the API',
  'engine-process/front-listener.ts': 'the listener for fronts, and whether its socket is one from before',
};

async function sources(room: string): Promise<string[]> {
  const found = await readdir(join(ROOT, room), { recursive: true });
  return found.map((path) => join(room, path)).filter((path) => path.endsWith('.ts') && !path.startsWith(APART));
}

/** Makers of sockets that a source imports from Node. */
function makersIn(text: string): string[] {
  const imports = text.matchAll(
    /^import (?!type\b)(\w+)?,?\s*(?:\{([^}]*)\})? from 'node:(?:net|dgram|tls|dns|http|https)';/gm,
  );
  return [...imports].flatMap(([, whole, named = '']) => [
    ...(whole === undefined ? [] : ['default']),
    ...named
      .split(',')
      .map((name) => name.trim())
      .filter((name) => !name.startsWith('type '))
      .map((name) => name.split(' as ')[0] ?? '')
      .filter((name) => MAKERS.has(name)),
  ]);
}

void t.test('nobody makes sockets but the way out', async (t) => {
  const makers: string[] = [];
  for (const path of (await Promise.all(ROOMS.map(sources))).flat()) {
    if (makersIn(await readFile(join(ROOT, path), 'utf8')).length > 0) makers.push(path);
  }
  t.same(makers.sort(), Object.keys(MAY).sort());
});
