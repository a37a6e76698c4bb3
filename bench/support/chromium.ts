// Debian's Chromium, headless, on a machine without a graphics card: what is drawn is drawn by the processor. Talks to
// this machine only.
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const PROGRAM = '/usr/bin/chromium';
const FLAGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  ...['--disable-component-update', '--disable-sync', '--disable-dev-shm-usage'],
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
];

/** @throws Error with one clear line when there is none */
export async function launchChromium(): Promise<Browser> {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM}: not installed (apt install chromium)`);
  return chromium.launch({ executablePath: PROGRAM, args: FLAGS });
}
