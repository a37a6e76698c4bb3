// nginx with the blocks of docs/operate/reverse-proxy.md, as a process of its own on a free port of 127.0.0.1.
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import type { Program } from './peers/index.js';
import { makeScratch } from './peers/scratch.js';
import { documentedBlocks, startProxy, type Proxy } from './documented-proxy.js';

const PROGRAM = '/usr/sbin/nginx';

let available: boolean | null = null;

export const nginx: Program = {
  name: 'nginx',
  debianPackage: 'nginx-light',
  isAvailable: () => (available ??= spawnSync(PROGRAM, ['-v']).status === 0),
};

/** `location`: which of the blocks. Returns its address, without a slash at the end. */
export async function startNginx(location: '/' | '/swarmd/', daemonUrl: string): Promise<Proxy> {
  return startWith(location, daemonUrl);
}

/** With a user of its own, whom it names to the daemon with the key. */
export async function startNginxWithPassword(
  daemonUrl: string,
  { user, password, key }: { readonly user: string; readonly password: string; readonly key: string },
): Promise<Proxy> {
  const lines = documentedBlocks('nginx').find((block) => block.startsWith('auth_basic '));
  if (!lines) throw new Error('docs/operate/reverse-proxy.md: there are no such lines of nginx');
  return startWith('/', daemonUrl, async (folder) => {
    const passwords = join(folder, 'htpasswd');
    await writeFile(passwords, `${user}:{PLAIN}${password}\n`);
    return lines.replace('/etc/nginx/swarmd.htpasswd', passwords).replace('the line of /etc/swarmd/proxy-key', key);
  });
}

/** `linesIn`: what else stands in the block, of files that are in that folder. */
async function startWith(
  location: '/' | '/swarmd/',
  daemonUrl: string,
  linesIn: (folder: string) => Promise<string> = async () => '',
): Promise<Proxy> {
  const scratch = await makeScratch('nginx');
  const port = await freePort();
  const blocks = documentedBlocks('nginx');
  const map = blocks.find((block) => block.startsWith('map '));
  const block = blocks.find((one) => one.startsWith(`location ${location} `));
  if (!map || !block) throw new Error('docs/operate/reverse-proxy.md: there is no such block of nginx');
  const more = await linesIn(scratch.path);
  const within = (text: string) => text.replace('http://127.0.0.1:9480', daemonUrl).replace(/\}\s*$/, `${more}}`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);
  const lines = [
    'daemon off;',
    'master_process off;',
    `pid ${join(scratch.path, 'pid')};`,
    'error_log stderr;',
    'events {}',
    `http { access_log off; ${temporary.join(' ')} ${map}`,
    `server { listen 127.0.0.1:${port}; ${within(block)} } }`,
  ];
  const file = join(scratch.path, 'nginx.conf');
  await writeFile(file, lines.join('\n'));
  return startProxy(scratch, port, PROGRAM, ['-p', scratch.path, '-c', file, '-e', 'stderr']);
}
