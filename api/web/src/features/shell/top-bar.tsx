// Above everything: what is done most, how fast it goes, and who is here.
import { Show, type JSX } from 'solid-js';
import type { Live } from '../../state/live.js';
import { attempt } from '../../actions/perform.js';
import { rate } from '../../format/quantities.js';
import { isConnectionLost } from '../../state/activity.js';
import { me, signOut } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { chooseLanguage, LANGUAGE_CHOICES, languageChoice } from '../../strings/language.js';
import { setThemeChoice, themeChoice } from '../../theme/theme.js';
import { Button } from '../../ui/button.jsx';
import { Icon } from '../../ui/icons.jsx';
import { MenuButton, type MenuEntry } from '../../ui/menu.jsx';
import { openHelp } from '../help/help-state.js';
import type { ListModel } from '../list/list-model.js';
import { Bell } from '../notices/bell.jsx';
import { AltSpeed } from './alt-speed.jsx';
import styles from './top-bar.module.css';

export interface TopBarProps {
  readonly live: Live;
  readonly model: ListModel;
  /** Whether the side bar is shown whole. */
  readonly isMenuOpen: boolean;
  /** Shows or hides it; null: there is nothing more of it to show. */
  readonly onMenu: (() => void) | null;
  readonly onGo: (path: string) => void;
  /** The controls of the page that is shown. */
  readonly children?: JSX.Element;
}

export function TopBar(props: TopBarProps) {
  return (
    <header class={styles['bar']}>
      <Show when={props.onMenu}>
        {(onMenu) => (
          <Button
            look="quiet"
            aria-label={t('bar.menu')}
            title={t('bar.menu')}
            aria-expanded={props.isMenuOpen}
            onClick={() => onMenu()()}
          >
            <Icon name="menu" />
          </Button>
        )}
      </Show>
      <span class={styles['brand']}>{t('app.name')}</span>
      {props.children}
      <span class={styles['space']} />
      <Speeds live={props.live} />
      <AltSpeed />
      <Bell live={props.live} model={props.model} />
      <MenuButton
        class={styles['account']}
        title={[t('bar.account'), me().username].filter(Boolean).join(': ')}
        label={<Account />}
        entries={accountMenu(props)}
      />
    </header>
  );
}

function Speeds(props: { readonly live: Live }) {
  // No figure is better than one of minutes ago.
  const shown = (bytesPerSecond: number) =>
    isConnectionLost(props.live.connection.state()) ? '–' : rate(bytesPerSecond) || '0 B/s';
  return (
    <span class={styles['speeds']}>
      <span title={t('bar.down')}>
        <Icon name="down" size={14} /> {shown(props.live.stats().total_download_rate)}
      </span>
      <span title={t('bar.up')}>
        <Icon name="up" size={14} /> {shown(props.live.stats().total_upload_rate)}
      </span>
    </span>
  );
}

function Account() {
  return (
    <>
      <Icon name="account" />
      <Show when={me().username}>
        <span class={styles['name']}>{me().username}</span>
      </Show>
    </>
  );
}

function accountMenu({ onGo }: TopBarProps): readonly MenuEntry[] {
  const theme = (choice: 'system' | 'dark' | 'light'): MenuEntry => ({
    label: t(`bar.theme.${choice}`),
    isChosen: themeChoice() === choice,
    run: () => setThemeChoice(choice),
  });
  const languages = LANGUAGE_CHOICES.map((choice): MenuEntry => ({
    label: t(`bar.language.${choice}`),
    isChosen: languageChoice() === choice,
    run: () => chooseLanguage(choice),
  }));
  return [
    { label: t('bar.ownAccount'), run: () => onGo('/account') },
    { label: t('bar.theme.title'), children: [theme('system'), theme('dark'), theme('light')] },
    { label: t('bar.language.title'), children: languages },
    { label: t('bar.help'), keys: '?', run: openHelp },
    'separator',
    { label: t('bar.signOut'), run: () => void attempt(signOut) },
  ];
}
