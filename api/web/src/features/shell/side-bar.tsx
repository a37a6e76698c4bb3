// At the side: the pages, and for the list what it can be narrowed down to, with how many there are of each.
import { For, Show, type JSX } from 'solid-js';
import { A } from '@solidjs/router';
import { categories, tags } from '../../state/labels.js';
import type { FacetKey } from '../../state/facets.js';
import { STATE_FILTERS, type Filter } from '../../state/filter.js';
import type { Torrents } from '../../state/torrents.js';
import { inert } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { Icon } from '../../ui/icons.jsx';
import type { ListModel } from '../list/list-model.js';
import { PAGES } from './pages.js';
import styles from './side-bar.module.css';

export interface SideBarProps {
  readonly ref?: (element: HTMLElement) => void;
  readonly torrents: Torrents;
  readonly model: ListModel;
  readonly isListShown: boolean;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function SideBar(props: SideBarProps) {
  return (
    <>
      <div class={styles['scrim']} data-open={props.isOpen} onClick={() => props.onClose()} />
      <nav
        ref={props.ref}
        class={styles['side']}
        data-open={props.isOpen}
        aria-label={t('side.title')}
        onClick={(event) => event.target.closest('a, button') && props.onClose()}
      >
        <ul class={styles['pages']}>
          <For each={PAGES}>
            {({ path, icon, title }) => (
              <li>
                <A href={path} end={path === '/'} activeClass={styles['current']!} class={styles['page']}>
                  <Icon name={icon} /> {t(`side.${title}`)}
                </A>
              </li>
            )}
          </For>
        </ul>
        <Show when={props.isListShown}>
          <Facets {...props} />
        </Show>
      </nav>
    </>
  );
}

function Facets(props: SideBarProps) {
  return (
    <>
      <Group title={t('side.status')}>
        <For each={STATE_FILTERS}>
          {(state) => <Choice {...props} text={t(`filter.${state}`)} facet={`state:${state}`} filter={{ state }} />}
        </For>
      </Group>
      <Group title={t('side.categories')}>
        <Any {...props} filter={{ categoryId: null }} />
        <For each={categories.value()}>
          {({ id, name, color }) => (
            <Choice {...props} text={name} color={color} facet={`category:${id}`} filter={{ categoryId: id }} />
          )}
        </For>
        <Choice {...props} text={t('filter.noCategory')} facet="category:0" filter={{ categoryId: 0 }} />
      </Group>
      <Group title={t('side.tags')}>
        <Any {...props} filter={{ tagId: null }} />
        <For each={tags.value()}>
          {({ id, name, color }) => (
            <Choice {...props} text={name} color={color} facet={`tag:${id}`} filter={{ tagId: id }} />
          )}
        </For>
        <Choice {...props} text={t('filter.noTag')} facet="tag:0" filter={{ tagId: 0 }} />
      </Group>
      <Group title={t('side.trackers')}>
        <Any {...props} filter={{ trackerHost: null }} />
        <For each={props.torrents.facets.trackerHosts}>
          {(host) => <Choice {...props} text={inert(host)} facet={`tracker:${host}`} filter={{ trackerHost: host }} />}
        </For>
        <Choice {...props} text={t('filter.noTracker')} facet="tracker:" filter={{ trackerHost: '' }} />
      </Group>
    </>
  );
}

function Group(props: { readonly title: string; readonly children: JSX.Element }) {
  return (
    <details open class={styles['group']}>
      <summary>{props.title}</summary>
      <ul>{props.children}</ul>
    </details>
  );
}

function Any(props: SideBarProps & { readonly filter: Partial<Filter> }) {
  return <Choice {...props} text={t('filter.any')} facet="state:all" filter={props.filter} />;
}

interface ChoiceProps extends SideBarProps {
  readonly text: string;
  readonly color?: string;
  readonly facet: FacetKey;
  readonly filter: Partial<Filter>;
}

function Choice(props: ChoiceProps) {
  const isChosen = () => {
    const now = props.model.filter();
    return Object.entries(props.filter).every(([name, value]) => now[name as keyof Filter] === value);
  };
  return (
    <li>
      <button
        type="button"
        class={styles['choice']}
        aria-pressed={isChosen()}
        onClick={() => props.model.setFilter(props.filter)}
      >
        <Show when={props.color}>
          <span class={styles['dot']} style={{ background: props.color }} />
        </Show>
        <span class={styles['text']}>{props.text}</span>
        <span class={styles['count']}>{props.torrents.facets.count(props.facet)}</span>
      </button>
    </li>
  );
}
