// The rules of accounts: which there are, whose, in which order. Owns: an account changes and sees its own alone;
// administrators see all. What rules do is in automation-runs.ts.
import { setImmediate as othersRan } from 'node:timers/promises';
import { z } from 'zod';
import {
  kindOf,
  MAX_RULES_OF_ACCOUNT,
  storedAutomationSchema,
  type AutomationChange,
  type AutomationDto,
  type AutomationFields,
  type AutomationRun,
} from '../../../shared-protocol/dto/automations.js';
import { idSchema } from '../../../shared-protocol/dto/fields.js';
import type { AccountId } from '../../../shared-protocol/ids.js';
import type { Collection } from '../../../storage/types.js';
import type { Account } from '../../auth/account.js';
import { notFound, RequestError } from '../../errors.js';
import type { KnownLabels } from '../library/torrent-dto.js';
import type { SavePaths } from '../settings/save-paths.js';
import { compileRule, textOf, type CompiledRule } from './compiled-rule.js';
import type { RunHistory } from './history.js';

/**
 * Instructions of the name patterns of an account, some 100 bytes each, which are all asked about each torrent: those of 600
 * usual patterns.
 */
const MAX_INSTRUCTIONS_OF_ACCOUNT = 20_000;
/** Characters of the rules of an account: all are written at once with each change, and 50 hosts of usual names are 1,000. */
const MAX_CHARS_OF_ACCOUNT = 256 * 1024;
/** Rules of all accounts: they are in one file, and compiled in memory. */
const MAX_RULES = 1_000;

export const automationsSchema = z.object({ next_id: idSchema, rules: z.array(storedAutomationSchema) });
export type AutomationsData = z.infer<typeof automationsSchema>;
export const NO_AUTOMATIONS: AutomationsData = { next_id: 1, rules: [] };
type StoredRule = AutomationsData['rules'][number];

export interface AutomationsDeps {
  readonly collection: Collection<AutomationsData>;
  readonly history: RunHistory;
  readonly labels: KnownLabels;
  readonly savePaths: Pick<SavePaths, 'resolve'>;
  /** Unix seconds. */
  readonly now: () => number;
}

export class Automations {
  readonly #compiled = new Map<number, { readonly text: string; readonly rule: CompiledRule }>();

  constructor(private readonly deps: AutomationsDeps) {}

  /** In their order; of `everyone` by account, for administrators. */
  list({ id, role }: Pick<Account, 'id' | 'role'>, everyone: boolean): AutomationDto[] {
    const rules = this.#all.filter(({ user_id }) => (everyone && role === 'admin') || user_id === id);
    const shown = rules.map((rule) => ({ ...rule, last_run: this.deps.history.of(rule.id)[0]?.at ?? 0 }));
    return everyone ? shown.sort((a, b) => a.user_id - b.user_id) : shown;
  }

  /** @throws RequestError `NOT_FOUND` */
  history({ id: accountId, role }: Pick<Account, 'id' | 'role'>, id: number): readonly AutomationRun[] {
    const rule = this.#all.find((each) => each.id === id && (role === 'admin' || each.user_id === accountId));
    if (!rule) throw notFound('automation');
    return this.deps.history.of(id);
  }

  /** Empty where it is gone. */
  nameOf(id: number): string {
    return this.#all.find((rule) => rule.id === id)?.name ?? '';
  }

  /** @throws RequestError `QUOTA_EXCEEDED`, `NOT_FOUND`, `REGEX_INVALID`, `FORBIDDEN`; AppError `STORAGE_FAILED` */
  async create(account: Account, given: AutomationFields): Promise<number> {
    const fields = await this.checked(account, given);
    let id = 0;
    await this.deps.collection.update((data) => {
      const own = data.rules.filter(({ user_id }) => user_id === account.id);
      if (own.length >= MAX_RULES_OF_ACCOUNT) {
        throw new RequestError('QUOTA_EXCEEDED', `automations: at most ${MAX_RULES_OF_ACCOUNT} of an account`, {
          ...{ of: 'automations', max: MAX_RULES_OF_ACCOUNT },
        });
      }
      if (data.rules.length >= MAX_RULES) {
        throw new RequestError('QUOTA_EXCEEDED', `automations: at most ${MAX_RULES} of all accounts`, {
          of: 'automations',
          max: MAX_RULES,
        });
      }
      this.#refuseTooLarge(own, fields);
      id = data.next_id++;
      data.rules.push({ ...fields, id, user_id: account.id, created_at: this.deps.now(), held: null });
    });
    return id;
  }

  /** @throws as {@link create} */
  async change(account: Account, id: number, { position, ...change }: AutomationChange): Promise<void> {
    const before = this.#find(account.id, id);
    const given: AutomationFields = {
      name: change.name ?? before.name,
      enabled: change.enabled ?? before.enabled,
      scope: change.scope ?? before.scope,
      when: change.when ?? before.when,
      for_minutes: change.for_minutes ?? before.for_minutes,
      actions: change.actions ?? before.actions,
      max_removals: change.max_removals ?? before.max_removals,
    };
    const isAsked = change.when !== undefined || change.actions !== undefined;
    // What it names may have been deleted since: a switch is thrown all the same.
    const after = { ...before, ...(isAsked ? await this.checked(account, given) : given) };
    await this.deps.collection.update((data) => {
      const place = data.rules.findIndex((each) => each.id === id);
      const stored = data.rules[place];
      if (!stored) throw notFound('automation');
      if (isAsked) {
        const others = data.rules.filter((each) => each.user_id === account.id && each.id !== id);
        this.#refuseTooLarge(others, after);
      }
      // Who changes or enables it has seen why it stopped.
      const goesOn = change.enabled === true || textOf(before) !== textOf(after);
      data.rules[place] = { ...stored, ...after, held: goesOn ? null : stored.held };
      if (position !== undefined) data.rules = atPosition(data.rules, account.id, id, position);
    });
  }

  /** @throws RequestError `NOT_FOUND`; AppError `STORAGE_FAILED` */
  async remove(accountId: AccountId, id: number): Promise<void> {
    this.#find(accountId, id);
    await this.#drop((rule) => rule.id === id);
    await this.deps.history.forget(({ rule_id }) => rule_id === id);
  }

  /** The account is gone. */
  async forgetAccount(accountId: AccountId): Promise<void> {
    await this.#drop(({ user_id }) => user_id === accountId);
    await this.deps.history.forget(({ user_id }) => user_id === accountId);
  }

  /** Records durably that the rule has stopped itself. @throws AppError `STORAGE_FAILED` */
  async stopItself(id: number, torrents: number): Promise<void> {
    await this.deps.collection.update((data) => {
      data.rules = data.rules.map((rule) =>
        rule.id === id ? { ...rule, held: { at: this.deps.now(), torrents } } : rule,
      );
    });
  }

  /** Accounts that have rules which do something. */
  accounts(): AccountId[] {
    return [...new Set(this.#all.filter(isActive).map(({ user_id }) => user_id as AccountId))];
  }

  /** Ids of the rules of these accounts that do something. */
  activeIds(accounts: ReadonlySet<AccountId>): Set<number> {
    const active = this.#all.filter((rule) => accounts.has(rule.user_id as AccountId) && isActive(rule));
    return new Set(active.map(({ id }) => id));
  }

  /** Rules of the account that do something, in their order; the same objects for the same rules. */
  active(accountId: AccountId): CompiledRule[] {
    return this.#all.filter((rule) => rule.user_id === accountId && isActive(rule)).map((rule) => this.#compile(rule));
  }

  /** Whether the rule does something and is still the one that was judged by. */
  isCurrent(compiled: CompiledRule): boolean {
    const rule = this.#all.find(({ id }) => id === compiled.id);
    return rule !== undefined && isActive(rule) && this.#compile(rule) === compiled;
  }

  /**
   * The fields as they may be stored; the patterns of `compiled`, the rule that they make, are compiled with it.
   * @throws RequestError `NOT_FOUND` for a label, `REGEX_INVALID`, `FORBIDDEN` or `PATH_UNUSABLE` for a path
   */
  async checked(
    account: Account,
    given: AutomationFields,
    compiled = compileRule(0, given, this.deps.labels),
  ): Promise<AutomationFields> {
    const { labels, savePaths } = this.deps;
    for (const pattern of compiled.names.patterns) {
      pattern.compile();
      await othersRan();
    }
    const actions = await Promise.all(
      given.actions.map(async (action) => {
        if (action.action === 'category' && action.category_id !== null && !labels.category(action.category_id)) {
          throw notFound('category');
        }
        if (kindOf(action).startsWith('tag ') && 'tag_id' in action && !labels.tag(action.tag_id))
          throw notFound('tag');
        if (action.action !== 'move') return action;
        return { ...action, path: await savePaths.resolve(account, action.path, '', 'path') };
      }),
    );
    const { name, enabled, scope, when, for_minutes, max_removals } = given;
    return { name, enabled, scope, when, for_minutes, actions, max_removals };
  }

  #compile(rule: StoredRule): CompiledRule {
    const text = textOf(rule);
    const known = this.#compiled.get(rule.id);
    if (known?.text === text) return known.rule;
    const compiled = compileRule(rule.id, rule, this.deps.labels);
    this.#compiled.set(rule.id, { text, rule: compiled });
    return compiled;
  }

  /** @throws RequestError `QUOTA_EXCEEDED` where the rules, or their patterns, are too large with one more */
  #refuseTooLarge(rules: readonly StoredRule[], given: AutomationFields): void {
    const chars = [...rules, given].reduce((sum, rule) => sum + textOf(rule).length, 0);
    if (chars > MAX_CHARS_OF_ACCOUNT) {
      throw new RequestError(
        'QUOTA_EXCEEDED',
        `when: all rules together are longer than ${MAX_CHARS_OF_ACCOUNT} characters`,
      );
    }
    const compiled = [...rules.map((rule) => this.#compile(rule)), compileRule(0, given, this.deps.labels)];
    const sizes = compiled.flatMap(({ names }) => names.patterns.map(({ size }) => size));
    if (sizes.reduce((sum, size) => sum + size, 0) > MAX_INSTRUCTIONS_OF_ACCOUNT)
      throw new RequestError('QUOTA_EXCEEDED', 'when: the name patterns of all rules are too large together');
  }

  get #all(): readonly StoredRule[] {
    return this.deps.collection.data.rules;
  }

  /** Another account's is not there, as far as this one is told. */
  #find(accountId: AccountId, id: number): StoredRule {
    const rule = this.#all.find((each) => each.id === id && each.user_id === accountId);
    if (!rule) throw notFound('automation');
    return rule;
  }

  async #drop(isGone: (rule: StoredRule) => boolean): Promise<void> {
    const gone = this.#all.filter(isGone);
    if (gone.length === 0) return;
    await this.deps.collection.update((data) => {
      data.rules = data.rules.filter((rule) => !isGone(rule));
    });
    for (const { id } of gone) this.#compiled.delete(id);
  }
}

function isActive({ enabled, held }: StoredRule): boolean {
  return enabled && held === null;
}

function atPosition(rules: StoredRule[], accountId: number, id: number, position: number): StoredRule[] {
  const own = rules.filter((rule) => rule.user_id === accountId && rule.id !== id);
  const moved = rules.filter((rule) => rule.id === id);
  const others = rules.filter((rule) => rule.user_id !== accountId);
  return [...others, ...own.slice(0, position), ...moved, ...own.slice(position)];
}
