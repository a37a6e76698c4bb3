// Texts that come with the feature that needs them: all but those of the list and of what is around it (`en.ts`).
//
// A feature brings its texts so:
// 1. `strings/<feature>.ts` exports a record `<feature>`, and `strings/de/<feature>.ts` the same as `Translated<typeof en>`;
// 2. a line in the table below: from there its keys are known to `t` as `<feature>.…`, and German that lacks one does not
//    compile;
// 3. where the feature is loaded: `onDemand(['<feature>'], () => import(…))` of its page (`ui/on-demand.tsx`) in place of
//    Solid's `lazy`. It is shown when its code and its texts are there, in the language of the page.
// Every part that is used by what is imported so must be named there, or where that is imported from;
// `test/unit/api/web/texts-brought.test.ts` says which is not.
import type { Translated } from './index.js';

export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

export const PARTS = {
  accounts: part(
    () => import('./accounts.js'),
    () => import('./de/accounts.js'),
  ),
  add: part(
    () => import('./add.js'),
    () => import('./de/add.js'),
  ),
  automations: part(
    () => import('./automations.js'),
    () => import('./de/automations.js'),
  ),
  backups: part(
    () => import('./backups.js'),
    () => import('./de/backups.js'),
  ),
  bans: part(
    () => import('./bans.js'),
    () => import('./de/bans.js'),
  ),
  bottlenecks: part(
    () => import('./bottlenecks.js'),
    () => import('./de/bottlenecks.js'),
  ),
  details: part(
    () => import('./details.js'),
    () => import('./de/details.js'),
  ),
  engines: part(
    () => import('./engines.js'),
    () => import('./de/engines.js'),
  ),
  feeds: part(
    () => import('./feeds.js'),
    () => import('./de/feeds.js'),
  ),
  handlers: part(
    () => import('./handlers.js'),
    () => import('./de/handlers.js'),
  ),
  help: part(
    () => import('./help.js'),
    () => import('./de/help.js'),
  ),
  importRemarks: part(
    () => import('./import-remarks.js'),
    () => import('./de/import-remarks.js'),
  ),
  imports: part(
    () => import('./imports.js'),
    () => import('./de/imports.js'),
  ),
  labels: part(
    () => import('./labels.js'),
    () => import('./de/labels.js'),
  ),
  log: part(
    () => import('./log.js'),
    () => import('./de/log.js'),
  ),
  notices: part(
    () => import('./notices.js'),
    () => import('./de/notices.js'),
  ),
  paths: part(
    () => import('./paths.js'),
    () => import('./de/paths.js'),
  ),
  operators: part(
    () => import('./operators.js'),
    () => import('./de/operators.js'),
  ),
  options: part(
    () => import('./options.js'),
    () => import('./de/options.js'),
  ),
  quotas: part(
    () => import('./quotas.js'),
    () => import('./de/quotas.js'),
  ),
  servers: part(
    () => import('./servers.js'),
    () => import('./de/servers.js'),
  ),
  settings: part(
    () => import('./settings.js'),
    () => import('./de/settings.js'),
  ),
  statistics: part(
    () => import('./statistics.js'),
    () => import('./de/statistics.js'),
  ),
  status: part(
    () => import('./status.js'),
    () => import('./de/status.js'),
  ),
  verbs: part(
    () => import('./verbs.js'),
    () => import('./de/verbs.js'),
  ),
  views: part(
    () => import('./views.js'),
    () => import('./de/views.js'),
  ),
  webhooks: part(
    () => import('./webhooks.js'),
    () => import('./de/webhooks.js'),
  ),
};

export type PartName = keyof typeof PARTS;
type BothOf<Union> = (Union extends unknown ? (given: Union) => void : never) extends (given: infer Both) => void
  ? Both
  : never;
/** Each part's records, as in its modules. */
export type PartTexts = BothOf<Awaited<ReturnType<(typeof PARTS)[PartName]['en']>>>;

function part<Texts>(en: () => Promise<Texts>, de: () => Promise<Translated<Texts>>) {
  return { en, de };
}
