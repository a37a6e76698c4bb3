// Caddy with the site blocks of docs/operate/reverse-proxy.md, as a process of its own on a free port of 127.0.0.1, without TLS: a certificate
// of a public name is nothing that a test can have.
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documentedBlocks, startProxy, type Proxy } from './documented-proxy.js';
import { freePort } from './free-port.js';
import type { Program } from './peers/index.js';
import { makeScratch } from './peers/scratch.js';

const PROGRAM = '/usr/bin/caddy';
const SITE = 'seedbox.example.org {';

let available: boolean | null = null;

export const caddy: Program = {
  name: 'Caddy',
  debianPackage: 'caddy',
  isAvailable: () => (available ??= spawnSync(PROGRAM, ['version']).status === 0),
};

/** `location`: which of the blocks. */
export async function startCaddy(location: '/' | '/swarmd/', daemonUrl: string): Promise<Proxy> {
  return startSite((block) => block.includes('/swarmd/') === (location === '/swarmd/'), daemonUrl);
}

/** It asks the server at `gatekeeperUrl` who may pass, and shows the daemon the key. */
export async function startCaddyWithGatekeeper(daemonUrl: string, gatekeeperUrl: string, key: string): Promise<Proxy> {
  const isGuarded = (block: string) => block.includes('forward_auth');
  return startSite(
    isGuarded,
    daemonUrl,
    [['127.0.0.1:9091', new URL(gatekeeperUrl).host]],
    [`SWARMD_PROXY_KEY=${key}`],
  );
}

async function startSite(
  isMeant: (block: string) => boolean,
  daemonUrl: string,
  places: readonly (readonly [documented: string, real: string])[] = [],
  variables: readonly string[] = [],
): Promise<Proxy> {
  const scratch = await makeScratch('caddy');
  const port = await freePort();
  const block = documentedBlocks('').find((one) => one.startsWith(SITE) && isMeant(one));
  if (!block) throw new Error('docs/operate/reverse-proxy.md: there is no such block of Caddy');
  const site = [...places, ['127.0.0.1:9480', new URL(daemonUrl).host] as const].reduce(
    (text, [documented, real]) => text.replace(documented, real),
    block.replace(SITE, `http://127.0.0.1:${port} {\n    bind 127.0.0.1`),
  );
  const file = join(scratch.path, 'Caddyfile');
  await writeFile(file, `{\n    admin off\n}\n${site}`);
  // Its state would else lie in the home of whoever runs the test.
  const homes = ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME'].map((name) => `${name}=${scratch.path}`);
  return startProxy(scratch, port, 'env', [
    ...homes,
    ...variables,
    PROGRAM,
    'run',
    '--config',
    file,
    '--adapter',
    'caddyfile',
  ]);
}
