// A filter as the query of an address, so that a reload, a bookmark or a shared link shows the same list:
// `?state=seeding&category=3&not-tag=7&q=debian`. What is not understood is left out. Pure.
import { FACET_KINDS, facetKey, kindOf, valueOf, type FacetKey, type Filter } from './filter.js';

const SEARCH = 'q';
const NOT = 'not-';

/** Returns '' for what shows everything, else the query with its question mark. */
export function queryOf({ only, not, search }: Filter): string {
  const query = new URLSearchParams();
  for (const key of only) query.append(kindOf(key), valueOf(key));
  for (const key of not) query.append(`${NOT}${kindOf(key)}`, valueOf(key));
  if (search.trim() !== '') query.append(SEARCH, search.trim());
  const written = query.toString();
  return written === '' ? '' : `?${written}`;
}

export function filterOf(query: string): Filter {
  const params = new URLSearchParams(query);
  const keys = (prefix: string): FacetKey[] => {
    const all = FACET_KINDS.flatMap((kind) =>
      params.getAll(`${prefix}${kind}`).flatMap((value) => facetKey(kind, value) ?? []),
    );
    return [...new Set(all)];
  };
  const only = keys('');
  return { only, not: keys(NOT).filter((key) => !only.includes(key)), search: params.get(SEARCH) ?? '' };
}
