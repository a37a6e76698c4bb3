// How many trackers and categories have series of their own. Their names come from accounts: one with a name server of its
// own could have a torrent work with ten thousand hosts. Beyond the bound of an account they are counted together, and of
// all accounts together a member has a series where one of the accounts has. Pure.
import type { Moved, TrafficBatch } from '../../../storage/traffic-history.js';
import { isOfAll, memberOf, OTHERS } from './series-name.js';

/** Series of one account and kind: more trackers than anybody announces to, and a list that is answered at once. */
export const MAX_MEMBERS = 1_000;

/** Names with this prefix that are in the store. */
export type NamesOf = (prefix: string) => ReadonlySet<string>;

/** The batch in which what is beyond the bound is counted as one. */
export function bounded(batch: TrafficBatch, namesOf: NamesOf): TrafficBatch {
  const names = new Map<string, Set<string>>();
  const namesNow = (prefix: string): Set<string> => {
    const known = names.get(prefix) ?? new Set(namesOf(prefix));
    names.set(prefix, known);
    return known;
  };
  const own = new Set<string>();
  const moved = new Map<string, Moved>();
  const put = (series: string, bytes: Moved): void => {
    const sum = moved.get(series);
    moved.set(series, sum ? { down: sum.down + bytes.down, up: sum.up + bytes.up } : bytes);
  };
  const ofAll: (readonly [string, Moved])[] = [];
  for (const [series, bytes] of batch.moved) {
    const member = memberOf(series);
    if (!member) put(series, bytes);
    else if (isOfAll(member.prefix)) ofAll.push([series, bytes]);
    else {
      const known = namesNow(member.prefix);
      const isOwn = known.has(series) || known.size < MAX_MEMBERS;
      if (isOwn) own.add(`${member.kind}/${member.id}`);
      if (isOwn) known.add(series);
      put(isOwn ? series : `${member.prefix}${OTHERS}`, bytes);
    }
  }
  for (const [series, bytes] of ofAll) {
    const { prefix, kind, id } = memberOf(series)!;
    const isOwn = own.has(`${kind}/${id}`) || namesNow(prefix).has(series);
    put(isOwn ? series : `${prefix}${OTHERS}`, bytes);
  }
  return { ...batch, moved };
}
