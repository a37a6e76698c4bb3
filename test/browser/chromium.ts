// Debian's Chromium, headless, talking to this machine only; each test has a browser context of its own, with a clean
// jar and storage. What the page complains about is kept: a test that ends with complaints has failed.
import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';

const PROGRAM = '/usr/bin/chromium';
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];
const TIMEOUT_MS = 20_000;

export const hasChromium = existsSync(PROGRAM);

export interface OpenPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts, of the Content-Security-Policy, and messages of level error. */
  readonly complaints: readonly string[];
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: PROGRAM, args: FLAGS });
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

/** Ends at the list of torrents. */
export async function signIn(page: Page, url: string, username: string, password: string): Promise<void> {
  await page.goto(url);
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('grid', { name: 'Torrents' }).waitFor();
}
