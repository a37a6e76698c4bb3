// What the list can be narrowed down to, with how many there are of each. One stop of the Tab key: the arrows go through it.
import { createMemo, createSignal, For, Show, type JSX } from 'solid-js';
import type { FacetKey } from '../../state/filter.js';
import { tags } from '../../state/labels.js';
import { seenServers } from '../../state/servers.js';
import { createAccountPreference } from '../../state/account-preferences.js';
import { ACTIVITY_FILTERS, PROBLEM_FILTERS } from '../../state/state-filter.js';
import { t } from '../../strings/index.js';
import { ContextArea } from '../../ui/menu.jsx';
import { createCategoryTree } from './category-tree-state.js';
import { choiceMenu, FacetChoice, facetUnder, type ShownFacets } from './facet-choice.jsx';
import { createRoving, type Roving } from './roving.js';
import { ViewChoice } from './view-choice.jsx';
import styles from './side-bar.module.css';

const FACET_GROUPS = ['status', 'problems', 'servers', 'categories', 'tags', 'trackers'] as const;
type FacetGroup = (typeof FACET_GROUPS)[number];
const GROUPS = ['views', ...FACET_GROUPS] as const;
type GroupName = (typeof GROUPS)[number];

export function Facets(given: Omit<ShownFacets, 'roving'>) {
  const { views } = given.model;
  const roving = createRoving(stopOf('status'));
  const [closed, setClosed] = createAccountPreference<readonly GroupName[]>('side.closed', [], areGroups);
  /** The choice that the menu is opened on. */
  const [asked, setAsked] = createSignal<FacetKey | null>(null);
  const props: ShownFacets = { model: given.model, roving };
  const hosts = createMemo(() => given.model.facets().trackerHosts);
  // The chosen one stays, also when the last of its torrents is well again.
  const problems = createMemo(
    () =>
      PROBLEM_FILTERS.map((state): FacetKey => `state:${state}`).filter(
        (key) =>
          given.model.facets().count(key) > 0 ||
          given.model.filter().only.includes(key) ||
          given.model.filter().not.includes(key),
      ),
    [],
    { equals: (before, now) => before.join() === now.join() },
  );
  const tree = createCategoryTree();
  const keys: Readonly<Record<FacetGroup, () => readonly FacetKey[]>> = {
    status: () => STATES,
    problems,
    servers: () => {
      const others = seenServers().map(({ id }): FacetKey => `server:${id}`);
      return others.length === 0 ? [] : ['server:0', ...others];
    },
    categories: () => [...tree.keys(), 'category:0'],
    tags: () => [...(tags.value() ?? []).map(({ id }): FacetKey => `tag:${id}`), 'tag:0'],
    trackers: () => [...hosts().map((host): FacetKey => `tracker:${host}`), 'tracker:'],
  };
  const askAbout = (event: Event) => {
    setAsked(facetUnder(event.target));
    // The menu would be empty.
    if (!asked()) event.stopPropagation();
  };
  const group = (name: GroupName) => ({
    name,
    roving,
    isOpen: !closed().includes(name),
    onToggle: (isOpen: boolean) =>
      setClosed([...closed().filter((other) => other !== name), ...(isOpen ? [] : [name])]),
  });
  return (
    <ContextArea class={styles['area']} entries={choiceMenu(given.model, asked())}>
      <div
        class={styles['facets']}
        onKeyDown={(event) => {
          const branch = tree.branch(facetUnder(event.target));
          const isOpen = { ArrowRight: true, ArrowLeft: false }[event.key];
          if (branch?.isParent && isOpen !== undefined) tree.setOpen(branch, isOpen);
          else roving.onKeyDown(event);
        }}
        onFocusIn={roving.onFocusIn}
        onPointerDown={askAbout}
        onContextMenu={askAbout}
      >
        <Show when={views.all().length > 0}>
          <Group {...group('views')} isTree={false}>
            <For each={views.all()}>{(view) => <ViewChoice views={views} view={view} roving={roving} />}</For>
          </Group>
        </Show>
        <For each={FACET_GROUPS}>
          {(name) => (
            <Show when={keys[name]().length > 0}>
              <Group {...group(name)} isTree={name === 'categories' && tree.hasLevels()}>
                <For each={keys[name]()}>
                  {(key) => <FacetChoice {...props} facet={key} tree={tree} isBad={name === 'problems'} />}
                </For>
              </Group>
            </Show>
          )}
        </For>
      </div>
    </ContextArea>
  );
}

const STATES = ACTIVITY_FILTERS.map((state): FacetKey => `state:${state}`);

interface GroupProps {
  readonly name: GroupName;
  readonly roving: Roving;
  /** Whether some of it is set in, below what it belongs to. */
  readonly isTree: boolean;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
  readonly children: JSX.Element;
}

function Group(props: GroupProps) {
  return (
    <details
      open={props.isOpen}
      class={styles['group']}
      onToggle={(event) => {
        const { open } = event.currentTarget;
        if (open === props.isOpen) return;
        props.onToggle(open);
        // None of its choices can be come back to.
        if (!open) props.roving.reset();
      }}
    >
      <summary data-stop={stopOf(props.name)} tabindex={props.roving.tabIndex(stopOf(props.name))}>
        {props.name === 'views' ? t('view.title') : t(`side.${props.name}`)}
      </summary>
      <ul data-tree={props.isTree}>{props.children}</ul>
    </details>
  );
}

function stopOf(name: GroupName): string {
  return `group:${name}`;
}

function areGroups(stored: unknown): stored is readonly GroupName[] {
  return Array.isArray(stored) && stored.every((name) => GROUPS.some((known) => known === name));
}
