// Debian's Chromium, headless, talking to this machine only; each test has a browser context of its own, with a clean
// jar and storage. What the page complains about is kept: a test that ends with complaints has failed.
import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import type { Test } from 'tap';
import type { DaemonUnderTest } from '../support/daemon.js';
import { testWith, type Program } from '../support/peers/index.js';

const PROGRAM = '/usr/bin/chromium';
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];
/** A machine full of other programs may take its time. */
const TIMEOUT_MS = 60_000;

export const CHROMIUM: Program = {
  name: 'Chromium',
  debianPackage: 'chromium',
  isAvailable: () => existsSync(PROGRAM),
};

export interface OpenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts, of the Content-Security-Policy, and messages of level error. */
  readonly complaints: readonly string[];
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: PROGRAM, args: FLAGS });
}

/** A test with a browser of its own; without Chromium as `testWith` has it. */
export function testInBrowser(
  t: Test,
  name: string,
  run: (t: Test, browser: Browser) => Promise<void>,
): Promise<unknown> {
  return testWith(t, CHROMIUM, name, async (t) => {
    const browser = await launchChromium();
    try {
      await run(t, browser);
    } finally {
      // Before what it talks to, which is what tests tear down.
      await browser.close();
    }
  });
}

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // What the server refuses is shown to the user and tested there.
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !isRefusal) complaints.push(message.text());
  });
  return { page, context, complaints };
}

/** By the form, as a user does. Ends at the page of the torrents, with what the server knows of them shown. */
export async function signIn(page: Page, url: string, username: string, password: string): Promise<void> {
  await page.goto(url);
  await submitSignIn(page, username, password);
  await page.getByRole('grid', { name: 'Torrents' }).or(page.getByText('No torrents yet')).waitFor();
}

/** Where the form is already. */
export async function submitSignIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** From the next load on the administrator's list has each of its columns. */
export async function showAllColumns({ api }: Pick<DaemonUnderTest, 'api'>): Promise<void> {
  await api('PUT', '/api/me/preferences', { 'list.columns': { hidden: [], order: [], widths: {} } });
}
