// A saved view in the side bar. A click opens it; its menu, by the button beside it, the right mouse button, a finger that
// is held or Shift+F10, does the rest, and F2 and Delete do what they do to names elsewhere.
import { inert } from '../../format/quantities.js';
import type { SavedView } from '../../state/saved-views.js';
import { t } from '../../strings/index.js';
import { Icon } from '../../ui/icons.jsx';
import { ContextArea, isMenuOpen, MenuButton, type MenuEntry } from '../../ui/menu.jsx';
import type { SavedViews } from '../list/saved-views.js';
import type { Roving } from './roving.js';
import styles from './side-bar.module.css';

/** Begins the names of the stops of views. */
export const VIEW_STOP = 'view:';

export interface ViewChoiceProps {
  readonly views: SavedViews;
  readonly view: SavedView;
  readonly roving: Roving;
}

export function ViewChoice(props: ViewChoiceProps) {
  const { views, view, roving } = props;
  const stop = VIEW_STOP + view.name;
  const rename = () => views.ask({ kind: 'rename', view });
  const menu = (): readonly MenuEntry[] => [
    { label: t('view.open'), run: () => views.open(view) },
    { label: t('view.replace'), run: () => views.keep(view.name) },
    { label: t('view.rename'), keys: 'F2', run: rename },
    'separator',
    { label: t('view.remove'), keys: t('keys.delete'), isDangerous: true, run: () => views.remove(view) },
  ];
  const keys: Readonly<Record<string, (choice: HTMLElement) => void>> = {
    F2: rename,
    Delete(choice) {
      const next = neighbourOf(choice);
      views.remove(view);
      next?.focus();
    },
  };
  roving.endWith(stop);
  return (
    <li class={styles['view']}>
      <ContextArea entries={menu()}>
        <button
          type="button"
          class={styles['choice']}
          aria-current={views.shown()?.name === view.name}
          aria-keyshortcuts="F2 Delete"
          title={inert(view.name)}
          data-stop={stop}
          tabindex={roving.tabIndex(stop)}
          onClick={() => {
            if (!isMenuOpen()) views.open(view);
          }}
          onKeyDown={(event) => {
            const act = keys[event.key];
            if (!act) return;
            event.preventDefault();
            act(event.currentTarget);
          }}
        >
          <Icon name="view" size={14} />
          <span class={styles['text']}>{inert(view.name)}</span>
        </button>
        {/* A drawer stays open. */}
        <span onClick={(event) => event.stopPropagation()}>
          <MenuButton
            class={styles['viewMore']!}
            title={t('view.more', { name: inert(view.name) })}
            // Shift+F10 does the same, from the view beside it.
            tabindex={-1}
            label={<Icon name="more" size={16} />}
            entries={menu()}
          />
        </span>
      </ContextArea>
    </li>
  );
}

/** Returns the choice that the keys go on with when this one has gone; null: there is no other view. */
function neighbourOf(choice: HTMLElement): HTMLElement | null {
  const item = choice.closest('li');
  const next = item?.nextElementSibling ?? item?.previousElementSibling;
  return next?.querySelector<HTMLElement>('[data-stop]') ?? null;
}
