// Reverse proxies with the blocks of docs/operate/reverse-proxy.md, as processes of their own on free ports of 127.0.0.1.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChild } from './peers/child-process.js';
import type { makeScratch } from './peers/scratch.js';
import { waitUntil } from './peers/wait-until.js';

const START_TIMEOUT_MS = 10_000;
const DOCUMENT = join('docs', 'operate', 'reverse-proxy.md');

export interface Proxy {
  /** Without a slash at the end. */
  readonly url: string;
  stop(): Promise<void>;
}

/** The document's blocks of code in this language; empty: those that name none. */
export function documentedBlocks(language: string): readonly string[] {
  const blocks = readFileSync(documentPath(), 'utf8').matchAll(/```(\w*)\n(.*?)```\n/gs);
  return [...blocks].filter(([, of]) => of === language).map(([, , block]) => block!);
}

/** Resolves when it answers at the port. The scratch goes with it. */
export async function startProxy(
  scratch: Awaited<ReturnType<typeof makeScratch>>,
  port: number,
  program: string,
  args: readonly string[],
): Promise<Proxy> {
  const child = await startChild(program, [...args]);
  const url = `http://127.0.0.1:${port}`;
  await waitUntil(`${program} answering`, START_TIMEOUT_MS, () => {
    if (!child.isRunning) throw new Error(`${program} has ended. ${child.stderr}`);
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
