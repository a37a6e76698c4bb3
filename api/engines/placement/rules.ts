// Rules of the file of the engines for torrents of accounts that are placed by the fleet: in their order, the first one that holds
// says which engines a torrent may go to. Pure.

export interface PlacementRule {
  /** Name of the account; null: any. */
  readonly account: string | null;
  /** Name of the category, or of one above it; null: any, and none. */
  readonly category: string | null;
  /** Names of tags, of which a torrent has one at least; none: any. */
  readonly tags: readonly string[];
  /** Names of engines; one at least. */
  readonly engines: readonly string[];
}

/** A torrent as rules look at it. Names differ by more than case. */
export interface Described {
  readonly account: string;
  /** null: it has none. */
  readonly category: string | null;
  readonly tags: readonly string[];
}

/** null: none holds, and any engine will do. */
export function ruleFor(rules: readonly PlacementRule[], torrent: Described): PlacementRule | null {
  return rules.find((rule) => holds(rule, torrent)) ?? null;
}

function holds({ account, category, tags }: PlacementRule, torrent: Described): boolean {
  if (account !== null && !isSame(account, torrent.account)) return false;
  if (category !== null && !isWithin(torrent.category, category)) return false;
  return tags.length === 0 || tags.some((tag) => torrent.tags.some((own) => isSame(own, tag)));
}

/** Categories are a tree by the slashes of their names. */
function isWithin(category: string | null, wanted: string): boolean {
  if (category === null) return false;
  return isSame(category, wanted) || category.toLowerCase().startsWith(`${wanted.toLowerCase()}/`);
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
