// Opens a link in the user's browser, where there is somebody who could look at it. Never fails: the link is printed too.
import { spawn } from 'node:child_process';
import type { Log } from '../logging.js';

/** The program that opens links; null without a display. */
export function browserCommand(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  if (platform === 'darwin') return 'open';
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? 'xdg-open' : null;
}

/** The browser outlives this program and never holds it up. */
export function openInBrowser(command: string, url: string, log: Log): void {
  const child = spawn(command, [url], { stdio: 'ignore', detached: true });
  child.on('error', (error) => log.warn('no browser was opened', { reason: error.message }));
  child.unref();
}
