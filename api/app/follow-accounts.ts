// What an account leaves behind when it changes or goes: each service lets go of what was its own.
import type { AccountId } from '../../shared-protocol/ids.js';
import type { Log } from '../logging.js';
import type { Services } from '../routes/services.js';
import type { Hub } from '../ws/hub.js';

export interface FollowAccountsDeps {
  readonly services: Services;
  readonly hub: Pick<Hub, 'closeAccount' | 'recheck' | 'tellNotices'>;
  readonly log: Log;
}

export function followAccounts({ services, hub, log }: FollowAccountsDeps): void {
  const { accounts, sessions, notices } = services;
  notices.onChanged((accountId, changed) => hub.tellNotices(accountId, changed));
  sessions.onRevoked(() => hub.recheck());
  accounts.onEdited(() => services.fileAdopters.apply());
  accounts.onEdited(() => services.networkInsiders.apply());
  accounts.onEdited(async () => {
    // What was measured decides whether an account may still upload under another bound.
    await services.uploads.check();
    await services.accountSpeeds.apply();
  });
  accounts.onChange((accountId, change) => {
    hub.closeAccount(accountId);
    if (change !== 'key') void endSessions(services, accountId, log);
    // A tool may have signed in with the key in place of the password.
    services.toolSessions.revokeAccount(accountId);
    void services.creations.onAccountChanged(accountId);
    if (change === 'deleted') forget(services, accountId, log);
  });
}

/** Never rejects. */
async function endSessions({ sessions }: Services, accountId: AccountId, log: Log): Promise<void> {
  try {
    await sessions.revokeAccount(accountId);
  } catch (error) {
    log.warn('sessions not ended', { accountId, reason: String(error) });
  }
}

/** Whatever is left of it because that could not be stored is nobody's, and is not acted by: no account gets the id of another. */
function forget(services: Services, accountId: AccountId, log: Log): void {
  services.inspector.forget(accountId);
  services.library.forgetAccount(accountId);
  const stored = {
    links: services.links,
    preferences: services.accountPreferences,
    notices: services.notices,
    removals: services.pendingRemovals,
    webhooks: services.webhooks,
    remotes: services.remotes,
    'server moves': services.serverMoves,
    automations: services.automations,
  };
  for (const [what, service] of Object.entries(stored)) {
    service.forgetAccount(accountId).catch(notSwept(log, what));
  }
}

/** Says what of accounts that are gone is still there. */
export function notSwept(log: Log, what: string): (error: unknown) => void {
  return (error) => log.warn(`${what} not swept`, { reason: String(error) });
}
