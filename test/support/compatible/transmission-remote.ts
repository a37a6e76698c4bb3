// transmission-remote, the command line of Transmission: run once for each command, as people run it.
import { spawn, spawnSync } from 'node:child_process';
import type { Program } from '../peers/index.js';
import { hostOf, type Target } from './target.js';

let available: boolean | null = null;

export const transmissionRemote: Program = {
  name: 'transmission-remote',
  debianPackage: 'transmission-cli',
  isAvailable: () => (available ??= spawnSync('transmission-remote', ['--version']).status === 0),
};

export interface Output {
  readonly code: number | null;
  readonly lines: readonly string[];
}

/** What it wrote, standard error included, and how it ended. */
export function runRemote(target: Target, args: readonly string[]): Promise<Output> {
  const credential = `${target.username}:${target.password}`;
  const child = spawn('transmission-remote', [hostOf(target), '--authenv', ...args], {
    // Times are told in the time zone and the language of who asks.
    env: { ...process.env, TR_AUTH: credential, TZ: 'UTC', LC_ALL: 'C.UTF-8', http_proxy: '', all_proxy: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, lines: text.split('\n').map((line) => line.trimEnd()) }));
  });
}
