// At the side: the pages, and for the list what it can be narrowed down to, with how many there are of each.
import { For, Show, type JSX } from 'solid-js';
import { A } from '@solidjs/router';
import { t } from '../../strings/index.js';
import { Icon } from '../../ui/icons.jsx';
import { isMenuOpen } from '../../ui/menu.jsx';
import type { ListModel } from '../list/list-model.js';
import { focusList } from '../list/focus-list.js';
import { Facets } from './facets.jsx';
import { addressOf, PAGES } from './pages.js';
import { isPhone } from './phone.js';
import styles from './side-bar.module.css';

export interface SideBarProps {
  readonly ref?: (element: HTMLElement) => void;
  readonly model: ListModel;
  readonly isListShown: boolean;
  /** Whether it is shown as the drawer of a phone. */
  readonly isOpen: boolean;
  /** Whether it is a strip with the icons of the pages, beside which there is more room. */
  readonly isStrip: boolean;
  readonly onClose: () => void;
  /** At its end. */
  readonly children?: JSX.Element;
}

export function SideBar(props: SideBarProps) {
  return (
    <>
      <div class={styles['scrim']} data-open={props.isOpen} onClick={() => props.onClose()} />
      <nav
        ref={props.ref}
        class={styles['side']}
        data-open={props.isOpen}
        data-strip={props.isStrip}
        aria-label={t('side.title')}
        // By mouse: the keys that follow are meant for what is chosen. That the choice itself is not focused in between spares
        // the browser two looks at the styles of the page before it shows what was chosen.
        onMouseDown={(event) => {
          if (event.button !== 0 || isPhone() || isMenuOpen() || !isChoice(event.target)) return;
          if (focusList()) event.preventDefault();
        }}
        onClick={(event) => {
          if (event.target.closest('a, button') && !isMenuOpen()) props.onClose();
        }}
      >
        <ul class={styles['pages']}>
          <For each={PAGES}>
            {({ path, icon, title }) => (
              <li>
                <A
                  href={addressOf(path, props.model)}
                  end={path === '/'}
                  activeClass={styles['current']!}
                  class={styles['page']}
                  title={props.isStrip ? t(`side.${title}`) : undefined}
                >
                  <Icon name={icon} /> <span class={styles['pageTitle']}>{t(`side.${title}`)}</span>
                </A>
              </li>
            )}
          </For>
        </ul>
        <Show when={props.isListShown && !props.isStrip}>
          <Facets model={props.model} />
        </Show>
        {props.children}
      </nav>
    </>
  );
}

/** Not one that folds others away or opens a menu. */
function isChoice(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button')?.dataset['stop'] !== undefined;
}
