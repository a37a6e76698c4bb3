// What happens to torrents, told to webhooks, to the owner's program and to accounts.
import { randomBytes } from 'node:crypto';
import type { Account } from '../../auth/account.js';
import type { Clock } from '../../clocks.js';
import type { Options } from '../../cli/options.js';
import type { Egress } from '../../egress/egress.js';
import type { Log } from '../../logging.js';
import { Deliveries } from '../../services/hooks/deliveries.js';
import { HookProgram } from '../../services/hooks/hook-program.js';
import { Hooks } from '../../services/hooks/hooks.js';
import { Webhooks } from '../../services/hooks/webhooks.js';
import type { Labels } from '../../services/library/labels.js';
import type { Library } from '../../services/library/library.js';
import { newsOfEvents, newsOfFilesLeft } from '../../services/notices/news.js';
import type { Notices } from '../../services/notices/notices.js';
import type { Collections } from '../collections.js';

export interface HooksParts {
  readonly options: Pick<Options, 'hookProgram'>;
  readonly collections: Pick<Collections, 'deliveries' | 'webhooks'>;
  readonly library: Library;
  readonly labels: Labels;
  readonly egress: Egress;
  readonly notices: Notices;
  readonly accountOf: (id: number) => Account | undefined;
  /** Whether this front does what may be done only once. */
  readonly leads: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

export function composeHooks({ options, collections, library, labels, egress, notices, ...parts }: HooksParts) {
  const { accountOf, leads, clock, log } = parts;
  const deliveries: Deliveries = new Deliveries({
    ...{ collection: collections.deliveries, clock, random: Math.random, log },
    send: (message, signal) => webhooks.send(message, signal),
  });
  const webhooks = new Webhooks({
    ...{ collection: collections.webhooks, deliveries, egress, labels, randomBytes, clock, accountOf },
  });
  const hooks = new Hooks({
    ...{ library, webhooks, deliveries, leads },
    program: options.hookProgram && new HookProgram(options.hookProgram, { labels, log }),
    tellAccount: (id, events) => notices.tell(id, ...newsOfEvents(events, library.stats)),
    tellOfFilesLeft: (left) => {
      if (accountOf(left.ownerId)) notices.tell(left.ownerId, newsOfFilesLeft(left));
    },
  });
  return { webhooks, hooks };
}
