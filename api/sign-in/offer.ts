// Lets the user of the desktop program in: a fresh link on the terminal, and in the browser where there is one.
import { ADMIN_ACCOUNT_ID } from '../../shared-protocol/ids.js';
import type { SignInLinks } from '../auth/sign-in-links.js';
import type { Listener } from '../listener.js';
import type { Settings } from '../services/settings/settings.js';
import { signInLink } from './page.js';

export interface OfferDeps {
  readonly signInLinks: SignInLinks;
  readonly listener: Pick<Listener, 'url' | 'startAgain'>;
  readonly settings: Pick<Settings, 'stored'>;
  readonly notify: (text: string) => void;
  readonly openLink: (url: string) => void;
}

/** A link leads nowhere while nothing listens, so a listener that was stopped is started again. @throws AppError `LISTEN_FAILED` */
export async function offerSignIn({ signInLinks, listener, settings, notify, openLink }: OfferDeps): Promise<void> {
  await listener.startAgain(settings.stored('web'));
  const link = signInLink(listener.url, signInLinks.create(ADMIN_ACCOUNT_ID));
  notify(`sign in: ${link}`);
  openLink(link);
}
