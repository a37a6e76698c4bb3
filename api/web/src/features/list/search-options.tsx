// What is offered while one types in the search: the list below the field, which keeps the focus (the combobox of ARIA
// whose list completes). It comes with the first key or click in the field.
import { createEffect, For } from 'solid-js';
import { inert } from '../../format/quantities.js';
import { categories, tags } from '../../state/labels.js';
import { completionsAt, type Completions } from '../../state/search-completion.js';
import type { TextField } from '../../state/search-terms.js';
import { seenServers } from '../../state/servers.js';
import type { Torrents } from '../../state/torrents.js';
import { t } from '../../strings/index.js';
import { Icon } from '../../ui/icons.jsx';
import type { ListModel } from './list-model.js';
import styles from './search-options.module.css';

export { completed } from '../../state/search-completion.js';

/** Works out what may stand at the caret, of what there is now. */
export function completionsIn(
  text: string,
  caret: number,
  { model, torrents }: { readonly model: ListModel; readonly torrents: Torrents },
): Completions {
  const names: Readonly<Record<TextField, () => readonly string[]>> = {
    tag: () => (tags.value() ?? []).map(({ name }) => name),
    category: () => (categories.value() ?? []).map(({ name }) => name),
    tracker: () => model.facets().trackerHosts,
    path: () => [...new Set([...torrents.all.values()].map(({ save_path }) => save_path))].filter(Boolean).sort(),
    name: () => [],
    hash: () => [],
    server: () => seenServers().map(({ name }) => name),
  };
  return completionsAt(text, caret, (field) => names[field]());
}

export interface SearchOptionsProps {
  readonly id: string;
  readonly found: Completions;
  /** The place of the one that Enter would take; behind the last is the help. */
  readonly active: number;
  readonly onChoose: (place: number) => void;
}

export default function SearchOptions(props: SearchOptionsProps) {
  let list!: HTMLUListElement;
  createEffect(() => list.children[props.active]?.scrollIntoView({ block: 'nearest' }));
  const option = (place: number) => ({
    id: `${props.id}-${place}`,
    role: 'option' as const,
    'aria-selected': props.active === place,
    class: styles['option'],
    // The focus stays in the field.
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    onClick: () => props.onChoose(place),
  });
  return (
    <>
      <ul ref={list} id={props.id} class={styles['list']} role="listbox" aria-label={t('operators.options')}>
        <For each={props.found.options}>
          {({ typed, about }, place) => (
            <li {...option(place())}>
              <code>{inert(typed)}</code>
              <span class={styles['about']}>{about ? t(about) : ''}</span>
            </li>
          )}
        </For>
        <li {...option(props.found.options.length)} data-help="true">
          <Icon name="search" size={14} />
          <span>{t('operators.help')}</span>
        </li>
      </ul>
      <span class="visually-hidden" role="status">
        {t('operators.found', { count: props.found.options.length })}
      </span>
    </>
  );
}
