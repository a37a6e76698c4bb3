// One thing that the list can be narrowed down to. A click shows only that, with Ctrl that as well, with Alt all but that;
// its menu says the same to those who have no such keys.
import { Show } from 'solid-js';
import { choose, kindOf, valueOf, withoutKind, type Choosing, type FacetKey } from '../../state/filter.js';
import { count } from '../../format/quantities.js';
import { categories, tags } from '../../state/labels.js';
import type { Torrents } from '../../state/torrents.js';
import { t } from '../../strings/index.js';
import { isMenuOpen, type MenuEntry } from '../../ui/menu.jsx';
import { facetText } from '../list/facet-text.js';
import type { ListModel } from '../list/list-model.js';
import type { Roving } from './roving.js';
import styles from './side-bar.module.css';

export interface ShownFacets {
  readonly torrents: Torrents;
  readonly model: ListModel;
  readonly roving: Roving;
}

const ALL: FacetKey = 'state:all';

export function FacetChoice(props: ShownFacets & { readonly facet: FacetKey; readonly isBad: boolean }) {
  const { roving, model, facet } = props;
  const isExcluded = () => model.filter().not.includes(facet);
  const isChosen = () => {
    const { only, not } = model.filter();
    if (facet !== ALL) return only.includes(facet);
    return [...only, ...not].every((key) => kindOf(key) !== 'state');
  };
  const color = () => colorOf(facet);
  roving.endWith(facet);
  return (
    <li>
      <button
        type="button"
        class={styles['choice']}
        aria-pressed={isChosen()}
        data-excluded={isExcluded()}
        data-bad={props.isBad}
        title={facet === ALL ? undefined : t('filter.how')}
        {...roving.stop(facet)}
        onClick={({ ctrlKey, metaKey, altKey }) => {
          if (!isMenuOpen()) apply(model, facet, altKey ? 'not' : ctrlKey || metaKey ? 'also' : 'only');
        }}
      >
        <Show when={color()}>
          <span class={styles['dot']} style={{ background: color() }} />
        </Show>
        <span class={styles['text']}>{facetText(facet)}</span>
        <Show when={isExcluded()}>
          <span class="visually-hidden">{t('filter.excluded')}</span>
        </Show>
        <span class={styles['count']}>{count(props.torrents.facets.count(facet))}</span>
      </button>
    </li>
  );
}

/** Returns the choice that an element is in; null for what is none, or is not to be combined. */
export function facetUnder(target: EventTarget | null): FacetKey | null {
  const stop = target instanceof Element ? target.closest<HTMLElement>('li > [data-stop]') : null;
  const key = stop?.dataset['stop'];
  return key === undefined || key === ALL ? null : (key as FacetKey); // the stops of choices are named so
}

export function choiceMenu(model: ListModel, facet: FacetKey | null): readonly MenuEntry[] {
  if (facet === null) return [];
  const { only, not } = model.filter();
  const entry = (label: string, how: Choosing, isChosen: boolean): MenuEntry => ({
    label,
    isChosen,
    run: () => apply(model, facet, how),
  });
  return [
    entry(t('filter.onlyThis'), 'only', only.length === 1 && only.includes(facet)),
    entry(t('filter.alsoThis'), 'also', only.includes(facet)),
    entry(t('filter.notThis'), 'not', not.includes(facet)),
  ];
}

function apply(model: ListModel, facet: FacetKey, how: Choosing): void {
  model.setFilter(facet === ALL ? withoutKind(model.filter(), 'state') : choose(model.filter(), facet, how));
}

function colorOf(facet: FacetKey): string {
  const [kind, id] = [kindOf(facet), Number(valueOf(facet))];
  const labels = kind === 'category' ? categories.value() : kind === 'tag' ? tags.value() : null;
  return labels?.find((label) => label.id === id)?.color ?? '';
}
