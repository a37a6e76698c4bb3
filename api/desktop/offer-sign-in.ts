// Lets the user of the desktop program in: a fresh link on the terminal, and in the browser where there is one.
import { ADMIN_ACCOUNT_ID } from '../../shared-protocol/ids.js';
import type { SignInLinks } from '../auth/sign-in-links.js';
import type { Log } from '../logging.js';
import type { WebDto } from '../../shared-protocol/dto/settings.js';
import type { Settings } from '../services/settings/settings.js';
import type { Handover } from './sign-in-handover.js';
import { signInLink } from './sign-in-page.js';

export interface OfferDeps {
  readonly signInLinks: SignInLinks;
  readonly listener: {
    readonly url: string;
    readonly startAgain: (web: Pick<WebDto, 'enabled' | 'port' | 'bind_all'>) => Promise<void>;
  };
  readonly settings: Pick<Settings, 'stored'>;
  readonly notify: (text: string) => void;
  readonly handover: Pick<Handover, 'put' | 'remove'>;
  /** Shows a page of this machine in the browser; null where there is none. */
  readonly openPage: ((file: string) => void) | null;
  readonly log: Log;
}

/** A link leads nowhere while nothing listens, so a listener that was stopped is started again. @throws AppError `LISTEN_FAILED` */
export async function offerSignIn(deps: OfferDeps): Promise<void> {
  const { signInLinks, listener, settings, notify, handover, openPage, log } = deps;
  await listener.startAgain(settings.stored('web'));
  const token = signInLinks.create(ADMIN_ACCOUNT_ID, () => void handover.remove(token));
  const link = signInLink(listener.url, token);
  notify(`sign in: ${link}`);
  if (!openPage) return;
  try {
    openPage(await handover.put(token, link));
  } catch (error) {
    log.warn('no browser was opened', { reason: String(error) });
  }
}
