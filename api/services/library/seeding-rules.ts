// The seeding rules that torrents share: of categories, of trackers, and the defaults. They reach into torrents of every
// account, so that accounts which may change settings may have torrents pause or get a tag by them, and administrators
// alone have them removed: while a rule removes, only administrators change any rule, since each stands before another.
import type {
  SeedingInForceDto,
  SeedingRuleDto,
  SeedingRuleForAllDto,
  SeedingRulesDto,
} from '../../../shared-protocol/dto/seeding.js';
import type { SeedingDefaultsDto } from '../../../shared-protocol/dto/settings.js';
import { because } from '../../../shared-protocol/reasons.js';
import { hasPermission, type Account } from '../../auth/account.js';
import { notFound, RequestError } from '../../errors.js';
import type { SettingsData } from '../settings/settings-data.js';
import type { Settings } from '../settings/settings.js';
import type { Labels } from './labels.js';
import { removes, seedingInForce } from './seeding-in-force.js';
import type { ListedTorrent } from './shares.js';
import type { ShownLabels } from './shown-labels.js';
import { TrackerRules } from './tracker-rules.js';

/** No spec value: all are in one file with the other settings, and are read at each check. */
const MAX_RULES_OF_A_KIND = 1_000;

type Editor = Pick<Account, 'role'>;
type StoredRules = SettingsData['seeding_rules'];

export interface SeedingRulesDeps {
  readonly settings: Pick<Settings, 'stored' | 'change'>;
  readonly labels: Pick<Labels, 'category' | 'tag'>;
  readonly shownLabels: Pick<ShownLabels, 'categories'>;
}

export class SeedingRules {
  #trackers = new TrackerRules([]);
  #categories: ReadonlyMap<number, SeedingRuleDto> = new Map();
  #revision = 0;
  /** The settings that these are made of. */
  #known: {
    readonly rules: StoredRules;
    readonly limits: SeedingDefaultsDto;
    readonly defaults: SeedingRuleForAllDto;
  } | null = null;

  constructor(private readonly deps: SeedingRulesDeps) {}

  get defaults(): SeedingRuleForAllDto {
    const { inactive_min_limit, action, tag_id } = this.deps.settings.stored('seeding_rules');
    const rest = { inactive_min_limit, action, ...(tag_id !== undefined && { tag_id }) };
    return { ...this.deps.settings.stored('seeding_defaults'), ...rest };
  }

  /** Rises with every change of a rule: what was made with an older one is out of date. */
  get revision(): number {
    this.#read();
    return this.#revision;
  }

  /** Trackers are shown to those who may change the rules: their names say what others of the service do. */
  shownTo(account: Account): SeedingRulesDto {
    const { settings, labels, shownLabels } = this.deps;
    const { categories, trackers } = settings.stored('seeding_rules');
    const isManager = hasPermission(account, 'perm_change_settings');
    const shown = new Set(isManager ? [] : shownLabels.categories(account).map(({ id }) => id));
    const isShown = (id: number) => (isManager ? labels.category(id) !== undefined : shown.has(id));
    return {
      defaults: this.defaults,
      categories: categories.filter(({ category_id }) => isShown(category_id)),
      trackers: isManager ? trackers : [],
    };
  }

  /** The limits and the action that hold for the share. */
  inForce(share: Pick<ListedTorrent, 'library' | 'trackers'>): SeedingInForceDto {
    const defaults = this.#read();
    const { categoryId } = share.library;
    // The id of a deleted category stays in the record.
    const isThere = categoryId !== null && this.deps.labels.category(categoryId) !== undefined;
    const category = (isThere && this.#categories.get(categoryId)) || null;
    return seedingInForce(share.library, {
      category,
      tracker: this.#trackers.of(share),
      defaults,
    });
  }

  /** @throws RequestError `SEEDING_RULE_REFUSED`, `NOT_FOUND`; AppError `STORAGE_FAILED` */
  setDefaults(by: Editor, { ratio_limit, time_min_limit, ...rest }: SeedingRuleForAllDto): Promise<void> {
    return this.#change(by, rest, (data) => {
      data.seeding_defaults = { ratio_limit, time_min_limit };
      const { categories, trackers } = data.seeding_rules;
      data.seeding_rules = { ...withoutIdleTag(rest), categories, trackers };
    });
  }

  /** The limits alone, which is all that clients of the contract know of. @throws as {@link setDefaults} */
  setDefaultLimits(by: Editor, limits: SeedingDefaultsDto): Promise<void> {
    return this.#change(by, {}, (data) => {
      data.seeding_defaults = limits;
    });
  }

  /** null: it has none. @throws as {@link setDefaults}; RequestError `BODY_INVALID` past the bound */
  async setOfCategory(by: Editor, category_id: number, rule: SeedingRuleDto | null): Promise<void> {
    const { labels } = this.deps;
    if (!labels.category(category_id)) throw notFound('category');
    await this.#change(by, rule, ({ seeding_rules }) => {
      const others = seeding_rules.categories.filter(
        (other) => other.category_id !== category_id && labels.category(other.category_id),
      );
      seeding_rules.categories = withRule(others, rule && { ...withoutIdleTag(rule), category_id }, 'categories');
    });
  }

  /** null: it has none. @throws as {@link setOfCategory} */
  setOfTracker(by: Editor, host: string, rule: SeedingRuleDto | null): Promise<void> {
    return this.#change(by, rule, ({ seeding_rules }) => {
      const others = seeding_rules.trackers.filter((other) => other.host !== host);
      seeding_rules.trackers = withRule(others, rule && { ...withoutIdleTag(rule), host }, 'trackers');
    });
  }

  /** Admits a change of the limits or the rules. @throws RequestError `SEEDING_RULE_REFUSED` */
  admitChange(by: Editor): void {
    this.#admit(by, this.deps.settings.stored('seeding_rules'));
  }

  /**
   * Admits what makes another category of it for those who use it, or none: its rule may be what keeps a torrent from
   * removal. @throws RequestError `SEEDING_RULE_REFUSED`
   */
  admitCategoryChange(by: Editor, id: number): void {
    const rules = this.deps.settings.stored('seeding_rules');
    if (rules.categories.some(({ category_id }) => category_id === id)) this.#admit(by, rules);
  }

  #change(by: Editor, rule: SeedingRuleDto | null, change: (data: SettingsData) => void): Promise<void> {
    const { action, tag_id } = rule ?? {};
    if (action === 'tag' && tag_id !== undefined && !this.deps.labels.tag(tag_id)) throw notFound('tag');
    return this.deps.settings.change((data) => {
      this.#admit(by, data.seeding_rules);
      change(data);
      this.#admit(by, data.seeding_rules);
    });
  }

  #admit({ role }: Editor, { action, categories, trackers }: StoredRules): void {
    if (role === 'admin') return;
    const used = categories.filter(({ category_id }) => this.deps.labels.category(category_id));
    if (!removes(action) && ![...used, ...trackers].some((rule) => removes(rule.action))) return;
    throw new RequestError(
      'SEEDING_RULE_REFUSED',
      'seeding rules: only an administrator has torrents removed by them, or changes them while one does so',
      because('REMOVAL_BY_ADMINISTRATORS'),
    );
  }

  /** Returns the rule for all; what is looked up for each torrent is made anew when the settings have changed. */
  #read(): SeedingRuleForAllDto {
    const { settings } = this.deps;
    const [rules, limits] = [settings.stored('seeding_rules'), settings.stored('seeding_defaults')];
    if (this.#known && this.#known.rules === rules && this.#known.limits === limits) return this.#known.defaults;
    this.#trackers = new TrackerRules(rules.trackers);
    this.#categories = new Map(rules.categories.map(({ category_id, ...rule }) => [category_id, rule]));
    this.#known = { rules, limits, defaults: this.defaults };
    this.#revision++;
    return this.#known.defaults;
  }
}

function withRule<Rule>(others: readonly Rule[], rule: Rule | null, kinds: string): Rule[] {
  if (!rule) return [...others];
  if (others.length >= MAX_RULES_OF_A_KIND) {
    throw new RequestError(
      'BODY_INVALID',
      `${kinds}: at most ${MAX_RULES_OF_A_KIND} of them have a rule`,
      because('QUOTA_EXCEEDED', { of: kinds, max: MAX_RULES_OF_A_KIND }),
    );
  }
  return [...others, rule];
}

/** A tag is for the action that puts it. */
function withoutIdleTag<Rule extends Pick<SeedingRuleDto, 'action' | 'tag_id'>>({ tag_id, ...rule }: Rule) {
  return rule.action === 'tag' && tag_id !== undefined ? { ...rule, tag_id } : rule;
}
