// Rules that act by themselves: what they are, what they would do, what they do.
import { unixSecondsOf, type Clock } from '../../clocks.js';
import type { Account } from '../../auth/account.js';
import type { Engines } from '../../engines/engines.js';
import type { Log } from '../../logging.js';
import { AutomationRuns, type AutomationRunsDeps } from '../../services/automations/automation-runs.js';
import { Automations } from '../../services/automations/automations.js';
import { RunHistory } from '../../services/automations/history.js';
import { Memory } from '../../services/automations/memory.js';
import { Previews } from '../../services/automations/preview.js';
import type { Labels } from '../../services/library/labels.js';
import type { Library } from '../../services/library/library.js';
import type { EngineVolumes } from '../../services/library/volume-looks.js';
import { newsOfRun } from '../../services/notices/news.js';
import type { Notices } from '../../services/notices/notices.js';
import type { SavePaths } from '../../services/settings/save-paths.js';
import type { Collections } from '../collections.js';

/** The services by which a rule acts. */
type Hands = Pick<
  AutomationRunsDeps,
  'running' | 'torrentTrackers' | 'categoryMoves' | 'torrentLabels' | 'seedPolicies' | 'moving'
>;

export interface AutomationsParts extends Hands {
  readonly collections: Pick<Collections, 'automations' | 'automationHistory' | 'automationMemory'>;
  readonly library: Library;
  readonly engines: Engines;
  readonly volumes: EngineVolumes;
  readonly labels: Labels;
  readonly savePaths: SavePaths;
  readonly notices: Notices;
  readonly accountOf: (id: number) => Account | undefined;
  readonly clock: Clock;
  readonly log: Log;
}

export function composeAutomations({ collections, notices, clock, ...parts }: AutomationsParts) {
  const { library, engines, volumes, labels, savePaths, accountOf, log } = parts;
  const { running, torrentTrackers, categoryMoves, torrentLabels, seedPolicies, moving } = parts;
  const automated = {
    ...{ library, engines, volumes, labels, savePaths, accountOf, log },
    now: () => unixSecondsOf(clock),
    nowMs: () => clock.nowMs(),
    history: new RunHistory(collections.automationHistory),
  };
  const memory = new Memory({ collection: collections.automationMemory, now: automated.now });
  const automations = new Automations({ ...automated, collection: collections.automations });
  const automationRuns = new AutomationRuns({
    ...{ ...automated, memory, automations, running, torrentTrackers, categoryMoves, torrentLabels },
    ...{ seedPolicies, moving },
    onRun: (account, run) =>
      notices.tell(account, newsOfRun({ id: run.ruleId, name: automations.nameOf(run.ruleId) }, run)),
  });
  const automationPreviews = new Previews({ ...automated, memory, automations, runs: automationRuns });
  return { automations, automationPreviews, automationRuns };
}
