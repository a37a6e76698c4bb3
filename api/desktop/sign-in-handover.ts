// How the browser is given a sign-in link that no other user sees: arguments of programs can be read by every user of
// the machine, so it is given a page in the data directory instead, which only its user may read and which leads on to
// the link. Owns that page: there is one at a time, and it goes when its link is used or worth nothing.
import { rm } from 'node:fs/promises';
import { replaceFile } from '../../storage/atomic-file.js';
import { SIGN_IN_LINK_TTL_MS } from '../auth/sign-in-links.js';
import type { Clock, Timer } from '../clocks.js';
import type { Log } from '../logging.js';

export interface HandoverDeps {
  readonly clock: Clock;
  readonly log: Log;
}

export class Handover {
  /** The token of the page that is there. */
  #token: string | null = null;
  #expiry: Timer | null = null;

  constructor(
    private readonly file: string,
    private readonly deps: HandoverDeps,
  ) {}

  /** The page that leads to the link, in place of the one before. @throws what the file system throws */
  async put(token: string, link: string): Promise<string> {
    this.#token = token;
    await replaceFile(this.file, pageTo(link));
    this.#expiry?.cancel();
    this.#expiry = this.deps.clock.after(SIGN_IN_LINK_TTL_MS, () => void this.remove(token));
    return this.file;
  }

  /** Unless the page is of another link by now. Never rejects: the link in it is worth nothing soon. */
  async remove(token: string): Promise<void> {
    if (token === this.#token) await this.clear();
  }

  /** Whatever is there, also what a crash left behind. */
  async clear(): Promise<void> {
    this.#token = null;
    this.#expiry?.cancel();
    this.#expiry = null;
    try {
      await rm(this.file, { force: true });
    } catch (error) {
      this.deps.log.warn('the page of a sign-in link is still there', { reason: String(error) });
    }
  }
}

/** Without script, and without telling where it came from. */
function pageTo(link: string): string {
  const target = link.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="referrer" content="no-referrer">
    <meta http-equiv="refresh" content="0; url=${target}">
    <title>Sign in · Swarmd</title>
  </head>
  <body>
    <p><a href="${target}">Go on to Swarmd</a></p>
  </body>
</html>
`;
}
