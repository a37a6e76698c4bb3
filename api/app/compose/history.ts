// What was moved when, by whom: counted, kept, told, and what a month's bound makes of it.
import type { JointClient } from '../../../shared-protocol/commands.js';
import type { TrafficHistory } from '../../../storage/traffic-history.js';
import { unixSecondsOf, type Clock } from '../../clocks.js';
import type { Engines } from '../../engines/engines.js';
import type { Log } from '../../logging.js';
import { AccountSpeeds } from '../../services/accounts/account-speeds.js';
import type { Accounts } from '../../services/accounts/accounts.js';
import { History } from '../../services/history/history.js';
import { MonthlyUploads } from '../../services/history/monthly-uploads.js';
import { RateSampler } from '../../services/history/rate-sampler.js';
import { RateAnswers } from '../../services/history/rates.js';
import { TrafficRecorder } from '../../services/history/recorder.js';
import type { Library } from '../../services/library/library.js';
import { newsOfUploads } from '../../services/notices/news.js';
import type { Notices } from '../../services/notices/notices.js';
import type { Collections } from '../collections.js';

export interface HistoryParts {
  readonly collections: Pick<Collections, 'uploadMonth'>;
  readonly trafficHistory: TrafficHistory;
  readonly engine: { readonly client: JointClient };
  readonly engines: Engines;
  readonly library: Library;
  readonly accounts: Accounts;
  readonly notices: Notices;
  readonly clock: Clock;
  readonly log: Log;
}

export function composeHistory({ collections, trafficHistory: store, notices, ...parts }: HistoryParts) {
  const { engine, engines, library, accounts, clock, log } = parts;
  const now = () => unixSecondsOf(clock);
  const recorder = new TrafficRecorder({ store, engine, engines, library, clock, log });
  const uploads: MonthlyUploads = new MonthlyUploads({
    ...{ collection: collections.uploadMonth, accounts, store, recorder, clock, log },
    onChanged: () => accountSpeeds.apply(),
    onUsedUp: (id, { next }) => notices.tell(id, newsOfUploads(next)),
  });
  const accountSpeeds = new AccountSpeeds({ accounts, uploads, engine });
  const history = new History({ store, recorder, library, accounts, now });
  const rateSampler = new RateSampler({ store, library, clock, log });
  return {
    trafficRecorder: recorder,
    uploads,
    accountSpeeds,
    history,
    rateSampler,
    rates: new RateAnswers({ rings: rateSampler.rings, store, recorder, history, library, now }),
  };
}
