// nginx with the blocks of docs/operate/reverse-proxy.md, as a process of its own on a free port of 127.0.0.1.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.js';
import { startChild } from './peers/child-process.js';
import type { Program } from './peers/index.js';
import { makeScratch } from './peers/scratch.js';
import { waitUntil } from './peers/wait-until.js';

const START_TIMEOUT_MS = 10_000;
const DOCUMENT = join('docs', 'operate', 'reverse-proxy.md');
const PROGRAM = '/usr/sbin/nginx';

let available: boolean | null = null;

export const nginx: Program = {
  name: 'nginx',
  debianPackage: 'nginx-light',
  isAvailable: () => (available ??= spawnSync(PROGRAM, ['-v']).status === 0),
};

/** `location`: which of the blocks. Returns its address, without a slash at the end. */
export async function startNginx(
  location: '/' | '/swarmd/',
  daemonUrl: string,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const scratch = await makeScratch('nginx');
  const port = await freePort();
  const blocks = [...readFileSync(documentPath(), 'utf8').matchAll(/```nginx\n(.*?)```/gs)].map(([, block]) => block!);
  const map = blocks.find((block) => block.startsWith('map '));
  const block = blocks.find((one) => one.startsWith(`location ${location} `));
  if (!map || !block) throw new Error(`${DOCUMENT}: there is no such block`);
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
  const child = await startChild(PROGRAM, ['-p', scratch.path, '-c', file, '-e', 'stderr']);
  const url = `http://127.0.0.1:${port}`;
  await waitUntil('nginx answering', START_TIMEOUT_MS, () => {
    if (!child.isRunning) throw new Error(`nginx has ended. ${child.stderr}`);
    return fetch(url).then(
      () => true,
      () => undefined,
    );
  });
  return {
    url,
    async stop() {
      await child.stop();
      await scratch.remove();
    },
  };
}

/** The document lies in the source tree above wherever this file was compiled to. */
function documentPath(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const path = join(folder, DOCUMENT);
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) throw new Error(`${DOCUMENT} not found above ${import.meta.url}`);
  }
}
