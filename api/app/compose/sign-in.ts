// Who comes in, and by what: sessions, keys and passwords of tools, links, and how often one may be wrong.
import { randomBytes } from 'node:crypto';
import type { LocalKey } from '../../auth/local-key.js';
import { LoginLimit } from '../../auth/login-limit.js';
import { NewestRecords } from '../../auth/newest-records.js';
import { Sessions } from '../../auth/sessions.js';
import { SharedSessions, type SharedSessionsData } from '../../auth/shared-sessions.js';
import { SignInLinks } from '../../auth/sign-in-links.js';
import { ToolCredentials } from '../../auth/tool-credentials.js';
import { ToolPasswords } from '../../auth/tool-passwords.js';
import { ToolSessions } from '../../auth/tool-sessions.js';
import { WrongPasswords } from '../../auth/wrong-passwords.js';
import { monotonicMs, sinceBootMs, systemClock } from '../../clocks.js';
import type { Accounts } from '../../services/accounts/accounts.js';
import { EvenClock } from '../../services/even-clock.js';
import type { Collection } from '../../../storage/types.js';

export interface SignInDeps {
  readonly accounts: Accounts;
  readonly localKey: LocalKey;
  /** `unixMs`: the clock of all fronts. null: sessions are this process's alone, and in memory. */
  readonly sharedSessions: {
    readonly collection: Collection<SharedSessionsData>;
    readonly unixMs: () => number;
  } | null;
}

export function composeSignIn({ accounts, localKey, sharedSessions }: SignInDeps) {
  const ofAllFronts = sharedSessions && composeShared(sharedSessions, accounts);
  const sessions = ofAllFronts ?? new Sessions({ now: sinceBootMs, randomBytes });
  const newestRecords =
    ofAllFronts &&
    new NewestRecords({
      auth: { accounts, sessions, localKey },
      records: [accounts, ofAllFronts],
      clock: systemClock,
    });
  const toolSessions = new ToolSessions({ now: sinceBootMs, randomBytes });
  const toolPasswords = new ToolPasswords({ accounts, newestRecords, randomBytes, now: monotonicMs });
  return {
    localKey,
    sessions,
    newestRecords,
    signInLinks: new SignInLinks({ now: monotonicMs, randomBytes }),
    toolSessions,
    toolPasswords,
    toolCredentials: new ToolCredentials({ accounts, toolSessions, toolPasswords }),
    loginLimit: new LoginLimit(monotonicMs),
    wrongPasswords: new WrongPasswords(monotonicMs),
  };
}

function composeShared({ collection, unixMs }: NonNullable<SignInDeps['sharedSessions']>, accounts: Accounts) {
  const clock = new EvenClock(unixMs, sinceBootMs);
  return new SharedSessions({
    ...{ now: () => clock.unixMs(), randomBytes, collection },
    credentialsOf: (id) => accounts.credentialsOf(id),
  });
}
