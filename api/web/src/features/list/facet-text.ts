// The words for a choice of the side bar.
import { inert } from '../../format/quantities.js';
import { kindOf, valueOf, type FacetKey } from '../../state/filter.js';
import { categories, tags } from '../../state/labels.js';
import { serverName } from '../../state/servers.js';
import { STATE_FILTERS } from '../../state/state-filter.js';
import { t } from '../../strings/index.js';

/** Labels that are not known, as those of a link from elsewhere may be, have their number. */
export function facetText(key: FacetKey): string {
  const value = valueOf(key);
  switch (kindOf(key)) {
    case 'state':
      return t(`filter.${STATE_FILTERS.find((state) => state === value) ?? 'all'}`);
    case 'category':
      if (value.endsWith('/')) return inert(value.slice(0, -1));
      return value === '0' ? t('filter.noCategory') : labelText(categories.value(), value);
    case 'tag':
      return value === '0' ? t('filter.noTag') : labelText(tags.value(), value);
    case 'tracker':
      return value === '' ? t('filter.noTracker') : inert(value);
    case 'server':
      return value === '0' ? t('filter.thisServer') : inert(serverName(Number(value)) ?? '');
  }
}

function labelText(labels: readonly { readonly id: number; readonly name: string }[] | null, id: string): string {
  return labels?.find((label) => String(label.id) === id)?.name ?? `#${id}`;
}
