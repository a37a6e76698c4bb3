// One thing that the list can be narrowed down to. A click shows only that, with Ctrl that as well, with Alt all but that;
// its menu says the same to those who have no such keys.
import { createMemo, Show } from 'solid-js';
import { choose, kindOf, valueOf, withoutKind, type Choosing, type FacetKey } from '../../state/filter.js';
import { bytes, count, inert, recentTime } from '../../format/quantities.js';
import { categories, labelIds, tags } from '../../state/labels.js';
import { serverNamed, type SeenServer } from '../../state/servers.js';
import { t } from '../../strings/index.js';
import { isMenuOpen, type MenuEntry } from '../../ui/menu.jsx';
import { facetText } from '../list/facet-text.js';
import type { ListModel } from '../list/list-model.js';
import type { CategoryTree } from './category-tree-state.js';
import type { Roving } from './roving.js';
import { VIEW_STOP } from './view-choice.jsx';
import styles from './side-bar.module.css';
import { serverNowMs } from '../../net/server-clock.js';

export interface ShownFacets {
  readonly model: ListModel;
  readonly roving: Roving;
}

const ALL: FacetKey = 'state:all';

export interface FacetChoiceProps extends ShownFacets {
  readonly facet: FacetKey;
  readonly tree: CategoryTree;
  readonly isBad: boolean;
}

export function FacetChoice(props: FacetChoiceProps) {
  const { roving, model, facet } = props;
  const isExcluded = () => model.filter().not.includes(facet);
  const isChosen = () => {
    const { only, not } = model.filter();
    if (facet !== ALL) return only.includes(facet);
    return [...only, ...not].every((key) => kindOf(key) !== 'state');
  };
  const color = () => colorOf(facet);
  const branch = () => props.tree.branch(facet);
  // The torrents of a category are counted with those of what is below it, and those of a label with its like on other servers.
  const counted = createMemo(() => {
    const kind = kindOf(facet);
    if (kind !== 'category' && kind !== 'tag') return [facet];
    return labelIds()(kind, valueOf(facet)).map((id): FacetKey => `${kind}:${id}`);
  });
  const shown = createMemo(
    () => {
      const sum = { count: 0, bytes: 0 };
      for (const key of counted()) {
        const amount = model.facets().shown(key);
        sum.count += amount.count;
        sum.bytes += amount.bytes;
      }
      return sum;
    },
    undefined,
    { equals: (before, now) => before.count === now.count && before.bytes === now.bytes },
  );
  const server = () => (kindOf(facet) === 'server' ? serverNamed(Number(valueOf(facet))) : undefined);
  /** Why a server is away, as it says itself. */
  const reason = () => (server()?.reason ? `\n${inert(server()?.reason ?? '')}` : '');
  const about = () => t('filter.amount', { count: shown().count, size: bytes(shown().bytes) });
  roving.endWith(facet);
  return (
    <li style={{ '--depth': branch()?.depth ?? 0 }}>
      <Show when={branch()?.isParent && branch()}>
        {(parent) => (
          <button
            type="button"
            class={styles['fold']}
            // The arrows do the same, from the choice beside it.
            tabindex="-1"
            aria-expanded={props.tree.isOpen(parent())}
            aria-label={t('side.below', { name: inert(parent().path) })}
            onClick={(event) => {
              // A drawer stays open.
              event.stopPropagation();
              props.tree.setOpen(parent(), !props.tree.isOpen(parent()));
            }}
          >
            ▸
          </button>
        )}
      </Show>
      <button
        type="button"
        class={styles['choice']}
        aria-pressed={isChosen()}
        data-excluded={isExcluded()}
        data-bad={props.isBad}
        data-all={facet === ALL}
        data-empty={shown().count === 0}
        title={facet === ALL ? about() : `${about()}${reason()}\n${t('filter.how')}`}
        data-stop={facet}
        tabindex={roving.tabIndex(facet)}
        onClick={({ ctrlKey, metaKey, altKey }) => {
          if (!isMenuOpen()) apply(model, facet, altKey ? 'not' : ctrlKey || metaKey ? 'also' : 'only');
        }}
      >
        <Show when={color()}>
          <span class={styles['dot']} style={{ background: color() }} />
        </Show>
        <span class={styles['text']}>{inert(branch()?.title ?? facetText(facet))}</span>
        <Show when={server()}>
          {(shown) => (
            <span class={shown().state === 'connected' ? 'visually-hidden' : styles['away']}>
              {standingOf(shown())}
            </span>
          )}
        </Show>
        <Show when={isExcluded()}>
          <span class="visually-hidden">{t('filter.excluded')}</span>
        </Show>
        {/* Told by the title to those who do not see it. */}
        <span class={styles['size']} aria-hidden="true">
          {shown().bytes > 0 ? bytes(shown().bytes) : ''}
        </span>
        <span class={styles['count']}>{count(shown().count)}</span>
      </button>
    </li>
  );
}

/** Returns the choice that an element is in; null for what is none, or is not to be combined. */
export function facetUnder(target: EventTarget | null): FacetKey | null {
  const item = target instanceof Element ? target.closest('li') : null;
  const stop = item?.querySelector<HTMLElement>(':scope > [data-stop]');
  const key = stop?.dataset['stop'];
  if (key === undefined || key === ALL || key.startsWith(VIEW_STOP)) return null;
  return key as FacetKey; // the stops of choices are named so
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

function standingOf({ state, since }: SeenServer): string {
  return state === 'connected' ? t('side.connected') : t('side.awaySince', { time: recentTime(since, serverNowMs()) });
}

function colorOf(facet: FacetKey): string {
  const [kind, id] = [kindOf(facet), Number(valueOf(facet))];
  const labels = kind === 'category' ? categories.value() : kind === 'tag' ? tags.value() : null;
  return labels?.find((label) => label.id === id)?.color ?? '';
}
