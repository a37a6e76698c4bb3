// The seeding rule of a torrent's trackers: that of the first tracker, in the order of the tiers, whose host has one, by
// its own name or by one above it, the longest name first.
import type { TorrentFacts } from '../../../shared-protocol/events.js';
import type { SeedingRuleDto, SeedingRulesDto } from '../../../shared-protocol/dto/seeding.js';
import { hostOf } from '../../../shared-protocol/dto/seeding.js';

type Facts = Pick<TorrentFacts, 'trackers'>;

export class TrackerRules {
  readonly #byHost: ReadonlyMap<string, SeedingRuleDto>;
  /** Parsing the addresses of 10,000 torrents at each check would take longer than all else in it. */
  readonly #known = new WeakMap<Facts, SeedingRuleDto | null>();

  constructor(rules: SeedingRulesDto['trackers']) {
    this.#byHost = new Map(rules.map(({ host, ...rule }) => [host, rule]));
  }

  of(facts: Facts): SeedingRuleDto | null {
    if (this.#byHost.size === 0) return null;
    const known = this.#known.get(facts);
    if (known !== undefined) return known;
    const found = this.#find(facts.trackers);
    this.#known.set(facts, found);
    return found;
  }

  #find(trackers: string): SeedingRuleDto | null {
    for (const url of trackers.split('\n')) {
      const host = URL.canParse(url) ? hostOf(new URL(url).hostname) : '';
      for (let name = host; name !== ''; name = parentOf(name)) {
        const rule = this.#byHost.get(name);
        if (rule) return rule;
      }
    }
    return null;
  }
}

/** The name without its first label; empty: it has one only. */
function parentOf(name: string): string {
  const dot = name.indexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1);
}
