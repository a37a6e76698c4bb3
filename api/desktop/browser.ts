// Opens a page in the user's browser, where there is a display to show it. Never fails: the link is printed too.
// What it is given stands in the list of processes, so it is the name of a file and holds no secret.
import { spawn } from 'node:child_process';
import type { Log } from '../logging.js';

/** The program that opens pages; null without a display. */
export function browserCommand(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  if (platform === 'darwin') return 'open';
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? 'xdg-open' : null;
}

/** The browser outlives this program and never holds it up. */
export function openInBrowser(command: string, file: string, log: Log): void {
  const child = spawn(command, [file], { stdio: 'ignore', detached: true });
  child.on('error', (error) => log.warn('no browser was opened', { reason: error.message }));
  child.unref();
}
