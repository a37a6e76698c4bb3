// rss/*: rules, which are Swarmd's filters (rule-object.ts).
import type { FilterDto } from '../../../../shared-protocol/dto/rss.js';
import { nameSchema } from '../../../../shared-protocol/dto/fields.js';
import { z } from 'zod';
import { hasPermission } from '../../../auth/account.js';
import { RequestError } from '../../../errors.js';
import { check } from '../../../routes/input.js';
import type { AccountContext } from '../../../routes/route.js';
import { ItemFilter } from '../../../services/rss/item-filter.js';
import { MAX_RECENT_FEEDS } from '../../../services/rss/recent-items.js';
import { DONE, json } from '../answers.js';
import { categoriesOf } from '../../label-names.js';
import { changing, reading, type Answer, type Call, type RouteTable } from '../row.js';
import { feedsByPath } from './paths.js';
import {
  categoryNameOf,
  isPaused,
  patternsOf,
  ruleDefSchema,
  ruleNameOf,
  savePathOf,
  tagNamesOf,
  toRuleObject,
} from './rule-object.js';

const MANAGING = 'perm_manage_rss';
/** For all titles of a rule together; no spec value: usual ones take some milliseconds. */
const MATCHING_MS = 1_000;

export const ruleRoutes = {
  'rss/rules': reading(rules),
  'rss/matchingArticles': reading(matchingArticles),
  'rss/setRule': changing(setRule, MANAGING),
  'rss/renameRule': changing(renameRule, MANAGING),
  'rss/removeRule': changing(async (call) => {
    for (const { id } of filtersOf(call, ruleField(call, 'ruleName'))) await call.services.filters.delete(id);
    return DONE();
  }, MANAGING),
} as const satisfies RouteTable;

function rules({ services, principal }: Call): Answer {
  const { feeds, filters, labels } = services;
  const urls = new Map(feeds.shown(principal.account).map(({ id, url }) => [id, url]));
  const byName = new Map<string, FilterDto[]>();
  for (const filter of filters.shown(principal.account)) {
    const name = ruleNameOf(filter);
    const known = byName.get(name);
    if (known) known.push(filter);
    else byName.set(name, [filter]);
  }
  const shown = [...byName].map(([name, own]) => {
    const categoryId = own[0]?.category_id ?? null;
    const category = categoryId === null ? undefined : labels.category(categoryId);
    const addresses = own.flatMap(({ feed_id }) => urls.get(feed_id) ?? []);
    const tags = own[0]?.tag_ids?.flatMap((id) => labels.tag(id)?.name ?? []) ?? [];
    return [name, toRuleObject(own, { category: category?.name ?? '', tags }, addresses)] as const;
  });
  return json(Object.fromEntries(shown));
}

/** Titles by the name of their feed, of the articles that were there at the last look. @throws RequestError `RSS_REFUSED` */
async function matchingArticles(call: Call): Promise<Answer> {
  const { principal, matching } = call;
  const wanted = filtersOf(call, ruleField(call, 'ruleName')).slice(0, MAX_RECENT_FEEDS);
  const { id } = principal.account;
  if (wanted.length === 0 || !hasPermission(principal.account, MANAGING)) return json({});
  if (matching.has(id)) throw new RequestError('RSS_REFUSED', 'one look for matching articles at a time');
  matching.add(id);
  try {
    return json(await titlesFor(wanted, call));
  } finally {
    matching.delete(id);
  }
}

/** `filters`: of one rule. @throws RequestError `UPSTREAM_FAILED` where the pattern takes too long */
async function titlesFor(filters: readonly FilterDto[], call: Call): Promise<Record<string, string[]>> {
  const pattern = await ItemFilter.compile(filters.slice(0, 1), {
    nowMs: () => performance.now(),
    onInvalid: () => undefined,
    budgetMs: MATCHING_MS,
  });
  const feedIds = new Set(filters.map(({ feed_id }) => feed_id));
  const found: [path: string, titles: string[]][] = [];
  for (const [path, feed] of feedsByPath(call)) {
    if (!feedIds.has(feed.id)) continue;
    const titles: string[] = [];
    const { items } = call.services.recentItems.of(call.principal.account, feed);
    for (const { title } of items) if (await pattern.firstFor(title)) titles.push(title);
    if (titles.length > 0) found.push([path, titles]);
  }
  return Object.fromEntries(found);
}

/** A filter for each feed that is named, and none for others. Judged whole before the first is made. */
async function setRule(call: Call): Promise<Answer> {
  const { services, principal, fields } = call;
  const { account } = principal;
  const { ruleName: name } = check(z.object({ ruleName: nameSchema }), { ruleName: fields.text('ruleName') });
  const rule = check(ruleDefSchema, parsed(fields.required('ruleDef')));
  const content = {
    ...patternsOf(rule),
    category_id: categoryId(call, categoryNameOf(rule)),
    tag_ids: tagIds(call, tagNamesOf(rule)),
    paused: isPaused(rule),
    save_path: savePathOf(rule),
    enabled: rule.enabled,
  };
  const feedIds = idsOfFeeds(call, rule.affectedFeeds);
  const before = filtersOf(call, name);
  for (const feed_id of feedIds) {
    const [known] = before.filter((filter) => filter.feed_id === feed_id);
    if (known) await services.filters.change(account, { ...content, id: known.id, feed_id });
    else await services.filters.create(account, { ...content, feed_id, name });
  }
  for (const { id, feed_id } of before) if (!feedIds.has(feed_id)) await services.filters.delete(id);
  return DONE();
}

async function renameRule(call: Call): Promise<Answer> {
  const { services, principal, fields } = call;
  const { newRuleName: name } = check(z.object({ newRuleName: nameSchema }), {
    newRuleName: fields.text('newRuleName'),
  });
  if (filtersOf(call, name).length > 0) throw new RequestError('RSS_REFUSED', 'newRuleName: there is such a rule');
  for (const { id, feed_id, regex } of filtersOf(call, ruleField(call, 'ruleName'))) {
    await services.filters.change(principal.account, { id, feed_id, regex, name });
  }
  return DONE();
}

function filtersOf({ services, principal }: AccountContext, name: string): FilterDto[] {
  return services.filters.shown(principal.account).filter((filter) => ruleNameOf(filter) === name);
}

function ruleField({ fields }: Call, field: string): string {
  return fields.required(field).trim();
}

/** @throws RequestError `RSS_REFUSED` */
function idsOfFeeds({ services, principal }: Call, urls: readonly string[]): ReadonlySet<number> {
  const shown = services.feeds.shown(principal.account);
  const ids = urls.map((url) => shown.find((feed) => feed.url === url)?.id);
  if (ids.length === 0) throw new RequestError('RSS_REFUSED', 'affectedFeeds: a filter here is one of a feed');
  return new Set(
    ids.map((id) => {
      if (id === undefined) throw new RequestError('RSS_REFUSED', 'affectedFeeds: there is no such feed');
      return id;
    }),
  );
}

/** @throws RequestError `RSS_REFUSED` */
function categoryId(call: Call, name: string): number | null {
  if (name === '') return null;
  const found = categoriesOf(call).find(name);
  if (!found) throw new RequestError('RSS_REFUSED', 'assignedCategory: there is no such category');
  return found.id;
}

/** @throws RequestError `RSS_REFUSED` */
function tagIds({ services }: AccountContext, names: readonly string[]): number[] {
  return names.map((name) => {
    const found = services.labels.tags.find((tag) => tag.name.toLowerCase() === name.trim().toLowerCase());
    if (!found) throw new RequestError('RSS_REFUSED', 'torrentParams.tags: there is no such tag');
    return found.id;
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestError('BODY_INVALID', 'ruleDef: expected an object');
  }
}
