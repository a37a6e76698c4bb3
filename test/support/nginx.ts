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
  const scratch = await makeScratch('nginx');
  const port = await freePort();
  const blocks = documentedBlocks('nginx');
  const map = blocks.find((block) => block.startsWith('map '));
  const block = blocks.find((one) => one.startsWith(`location ${location} `));
  if (!map || !block) throw new Error('docs/operate/reverse-proxy.md: there is no such block of nginx');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);
  const lines = [
    'daemon off;',
    'master_process off;',
    `pid ${join(scratch.path, 'pid')};`,
    'error_log stderr;',
    'events {}',
    `http { access_log off; ${temporary.join(' ')} ${map}`,
    `server { listen 127.0.0.1:${port}; ${block.replace('http://127.0.0.1:9480', daemonUrl)} } }`,
  ];
  const file = join(scratch.path, 'nginx.conf');
  await writeFile(file, lines.join('\n'));
  return startProxy(scratch, port, PROGRAM, ['-p', scratch.path, '-c', file, '-e', 'stderr']);
}
