// Settings, feeds and rules of another program on their way, after its torrents: each is judged, and told with what it was here. A
// dry run, and an import that was not asked to bring them, ends there.
import type { ImportBody } from '../../../../shared-protocol/dto/imports.js';
import { remark } from '../../../../shared-protocol/import-remarks/remark.js';
import { mappedPath } from '../../../../shared-protocol/path-map.js';
import type { Account } from '../../../auth/account.js';
import type { ForeignLibrary } from '../foreign-torrent.js';
import type { ImportedSetting } from '../imported.js';
import type { LabelsThere } from '../labels-there.js';
import { reasonOf } from '../reason-of.js';
import { categoryStep, type CategoryDeps } from './category-step.js';
import { feedStep, filterStep, type FeedDeps } from './feed-steps.js';
import { leftOut, refused, type Step } from './step.js';
import { valueSteps, type ValueDeps } from './value-steps.js';

/** Each address of a feed is looked up. No spec value. */
const MAX_FEEDS = 1_000;
const MAX_RULES = 1_000;

export interface SettingsDeps extends ValueDeps, CategoryDeps, FeedDeps {
  readonly seedingRules: ValueDeps['seedingRules'] & CategoryDeps['seedingRules'];
}

export interface SettingsRunDeps extends SettingsDeps {
  readonly labels: LabelsThere;
  /** The administrator who imports. */
  readonly importer: Account;
  /** The account that is to own what feeds add. */
  readonly owner: Account;
  readonly body: ImportBody;
  readonly source: ForeignLibrary;
  readonly isCancelled: () => boolean;
  readonly onSetting: (setting: ImportedSetting) => void;
}

export async function runSettings(deps: SettingsRunDeps): Promise<void> {
  for await (const step of stepsOf(deps)) {
    if (deps.isCancelled()) return;
    for (const said of await done(step, deps)) deps.onSetting(said);
  }
}

/** One after the other, as rules look for the feeds that were made. */
async function* stepsOf(deps: SettingsRunDeps): AsyncGenerator<Step> {
  const { importer, owner, body, source, labels, feeds } = deps;
  const { settings, categories } = source;
  yield* await valueSteps(deps, importer, settings);
  const mapped = (path: string) => mappedPath(path, body.map);
  const category = (name: string) =>
    labels.category(name, mapped(categories.find((each) => each.name === name)?.savePath ?? ''), []);
  for (const rule of settings.categorySeeding.slice(0, MAX_RULES))
    yield categoryStep(deps, importer, rule, { known: labels.known(rule.category), category });
  const urls = new Set<string>();
  const come = settings.feeds.filter(({ url }) => !urls.has(url) && urls.add(url)).slice(0, MAX_FEEDS);
  urls.clear();
  for (const feed of come) {
    const step = await feedStep(deps, owner, feed);
    if (step.said.every(({ result }) => result !== 'left_out')) urls.add(feed.url);
    yield step;
  }
  for (const { feedUrls } of settings.filters)
    for (const url of feedUrls) if (feeds.ownOf(owner, url) !== null) urls.add(url);
  for (const filter of settings.filters.slice(0, MAX_RULES))
    yield await filterStep(deps, filter, { owner, urls, mapped, category, tags: (names) => labels.tags(names, []) });
  const over = Math.max(settings.feeds.length - MAX_FEEDS, 0) + Math.max(settings.filters.length - MAX_RULES, 0);
  if (over > 0)
    yield leftOut(remark('MORE_FEEDS_AND_RULES', { count: over }), remark('AT_MOST_OF_EACH', { max: MAX_FEEDS }));
  for (const { name, reason } of settings.leftOut) yield leftOut(name, reason);
}

async function done({ said, apply }: Step, { body }: SettingsRunDeps): Promise<readonly ImportedSetting[]> {
  if (!apply || body.dry_run || !body.settings) return said;
  try {
    await apply();
    return said;
  } catch (error) {
    return refused(said, reasonOf(error));
  }
}
