// This server and others: remotes, where a new torrent goes, and moves from one to another.
import type { Account } from '../../auth/account.js';
import type { Clock } from '../../clocks.js';
import type { Egress } from '../../egress/egress.js';
import type { Log } from '../../logging.js';
import type { Services } from '../../routes/services.js';
import type { Accounts } from '../../services/accounts/accounts.js';
import type { Labels } from '../../services/library/labels.js';
import type { Library } from '../../services/library/library.js';
import { Remotes } from '../../services/remotes/remotes.js';
import { KnownServers } from '../../services/servers/known-servers.js';
import { ServerPlacement } from '../../services/servers/server-placement.js';
import { ServerMoves } from '../../services/servers/server-moves.js';
import { ServerEnd, type ServerId } from '../../services/servers/servers.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import type { Collections } from '../collections.js';
import { ownRoutes } from '../own-routes.js';

export interface ServersDeps {
  readonly collections: Pick<Collections, 'remotes' | 'serverMoves'>;
  readonly accounts: Accounts;
  readonly library: Library;
  readonly labels: Labels;
  readonly egress: Egress;
  readonly accountOf: (id: number) => Account | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

/** `services`: all of them, once they are there: what is asked of this server is asked by its own routes. */
export function composeServers({ collections, accounts, accountOf, ...deps }: ServersDeps, services: () => Services) {
  const { library, labels, egress, clock, log } = deps;
  const remotes = new Remotes({
    ...{ collection: collections.remotes, egress, clock, random: Math.random, log },
    isAccount: (id) => accounts.find(id as AccountId) !== undefined,
  });
  const servers = new KnownServers({ ...{ remotes, library, labels, egress }, own: ownRoutes(services) });
  return {
    remotes,
    serverPlacement: new ServerPlacement(servers),
    serverEnd: (account: Account, server: ServerId, infohash: string) =>
      new ServerEnd(servers, account, server, infohash),
    serverMoves: new ServerMoves({
      ...{ servers, clock, log },
      collection: collections.serverMoves,
      accountOf,
    }),
  };
}
