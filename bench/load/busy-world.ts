// The busy daemon with its labels, and a browser in which somebody looks at its torrents.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { Child } from '../support/child.js';
import { removeNow, removeOnExit } from '../support/clean-up.js';
import { compiledFile } from '../support/project.js';
import { QUIET_FLAGS } from '../support/quiet-flags.js';
import { BUSY_CATEGORIES, BUSY_TORRENTS } from './busy-library.js';

const START_TIMEOUT_MS = 60_000;
const VIEWPORT = { width: 1280, height: 800 };
const ANY_PORTS = ['--port', '0', '--peer-port', '0'];

export interface BusyWorld {
  readonly browser: Browser;
  readonly page: Page;
  /** Of the API process. */
  readonly pid: number;
  close(): Promise<void>;
}

/** `script` runs in the page before its own. The page shows the list when this is done. */
export async function openBusyWorld(script: string, torrents: number): Promise<BusyWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'swarmd-bench-ui-'));
  removeOnExit(folder);
  const password = randomBytes(12).toString('hex');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  const paths = { 'data-dir': join(folder, 'data'), 'save-path': join(folder, 'files') };
  const flags = Object.entries({ ...paths, 'admin-password-file': passwordFile }).flatMap(([name, value]) => [
    `--${name}`,
    value,
  ]);
  const args = [compiledFile('bench/load/busy-daemon.js'), ...flags, ...ANY_PORTS, ...QUIET_FLAGS];
  const child = new Child(process.execPath, args, { env: { [BUSY_TORRENTS]: String(torrents) } });
  let browser: Browser | undefined;
  const close = async () => {
    await browser?.close();
    await child.stop();
    removeNow(folder);
  };
  try {
    const { message: url } = await child.event('ready', START_TIMEOUT_MS);
    const cookie = await signIn(String(url), password);
    browser = await launchChromium();
    const page = await openPage(browser, String(url), cookie, script);
    return { browser, page, pid: child.pid, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The session's cookie, after the categories are there. */
async function signIn(url: string, password: string): Promise<string> {
  const post = async (path: string, body: unknown, cookie = '') => {
    const headers = { 'content-type': 'application/json', origin: url, cookie };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`swarmd: ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const answer = await post('/api/login', { username: 'admin', password });
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  for (const name of BUSY_CATEGORIES) {
    await post('/api/categories', { name, default_save_path: '', color: '#2563eb' }, cookie);
  }
  return cookie;
}

async function openPage(browser: Browser, url: string, cookie: string, script: string): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  await page.addInitScript(script);
  await page.goto(url);
  await page.getByRole('row').nth(1).waitFor({ timeout: START_TIMEOUT_MS });
  return page;
}
