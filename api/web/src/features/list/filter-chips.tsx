// The filters that are active, each with its way out, above the list: on a phone the only sign of them.
import { For, Show } from 'solid-js';
import { choose, NO_FILTER, type FacetKey } from '../../state/filter.js';
import { t } from '../../strings/index.js';
import { facetText } from './facet-text.js';
import type { ListModel } from './list-model.js';
import styles from './filter-chips.module.css';

export interface FilterChipsProps {
  readonly model: ListModel;
  /** False where the list itself offers to clear them, because nothing matches. */
  readonly isClearable: boolean;
}

export function FilterChips(props: FilterChipsProps) {
  const filter = () => props.model.filter();
  return (
    <Show when={filter().only.length + filter().not.length > 0}>
      <div class={styles['bar']}>
        <ul class={styles['chips']} aria-label={t('filter.chosen')}>
          <For each={filter().only}>{(key) => <Chip model={props.model} facet={key} />}</For>
          <For each={filter().not}>{(key) => <Chip model={props.model} facet={key} isExcluded />}</For>
        </ul>
        <Show when={props.model.views.shown() === null}>
          <button type="button" class={styles['clear']} onClick={() => props.model.views.ask({ kind: 'save' })}>
            {t('view.save')}
          </button>
        </Show>
        <Show when={props.isClearable}>
          <button type="button" class={styles['clear']} onClick={() => props.model.setFilter(NO_FILTER)}>
            {t('filter.clear')}
          </button>
        </Show>
      </div>
    </Show>
  );
}

function Chip(props: { readonly model: ListModel; readonly facet: FacetKey; readonly isExcluded?: boolean }) {
  const text = () => {
    const said = facetText(props.facet);
    return props.isExcluded ? t('filter.not', { text: said }) : said;
  };
  const takeOut = () =>
    props.model.setFilter(choose(props.model.filter(), props.facet, props.isExcluded ? 'not' : 'also'));
  return (
    <li>
      <button
        type="button"
        class={styles['chip']}
        data-excluded={props.isExcluded}
        aria-label={t('filter.takeOut', { text: text() })}
        title={t('filter.takeOut', { text: text() })}
        onClick={takeOut}
      >
        <span class={styles['text']}>{text()}</span>
        <span aria-hidden="true">×</span>
      </button>
    </li>
  );
}
