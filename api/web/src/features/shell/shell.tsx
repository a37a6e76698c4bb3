// The frame of the interface: the bar at the top, what can be chosen at the side, and the page. What is live and what the
// list remembers stay while pages come and go.
import { Route, Router, useLocation, useNavigate, type RouteSectionProps } from '@solidjs/router';
import { createContext, createEffect, createMemo, getOwner, on, runWithOwner, Show, useContext } from 'solid-js';
import { keepAccountPreferences } from '../../state/account-preferences.js';
import { isConnectionLost, isEngineAway, showActivity } from '../../state/activity.js';
import { NO_FILTER } from '../../state/filter.js';
import { createLive, type Live } from '../../state/live.js';
import { me, sessionState } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { onDemand } from '../../ui/on-demand.jsx';
import { showNote } from '../../ui/toasts.jsx';
import { AddAnywhere } from '../add/add-anywhere.jsx';
import { PageShortcuts } from '../help/page-shortcuts.jsx';
import { isListAt, keepFilterInUrl } from '../list/filter-in-url.js';
import { focusList } from '../list/focus-list.js';
import { createListModel, type ListModel } from '../list/list-model.js';
import { TorrentsPage } from '../list/torrents-page.jsx';
import { fetchAhead } from './ahead.js';
import { BottomBar } from './bottom-bar.jsx';
import { ConnectionBanner } from './connection-banner.jsx';
import { DiskBanner } from './disk-banner.jsx';
import { createDrawer } from './drawer.js';
import { EngineBanner } from './engine-banner.jsx';
import { isPhone } from './phone.js';
import { SideBar } from './side-bar.jsx';
import { createSideState } from './side-state.js';
import { openStartPage } from './start-page.js';
import { StatusBar, StatusPlace } from './status-place.jsx';
import { TopBar } from './top-bar.jsx';
import { UpdateNotice } from './update-notice.jsx';
import styles from './shell.module.css';
import { BASE } from '../../net/base.js';

export interface ShellContext {
  readonly live: Live;
  readonly list: ListModel;
}

const Context = createContext<ShellContext>();

/** Only below the shell. */
export function useShell(): ShellContext {
  const context = useContext(Context);
  if (!context) throw new Error('bug: used outside of the shell');
  return context;
}

const FeedsPage = onDemand(['feeds', 'paths'], () => import('../feeds/feeds-page.jsx'));
const StatisticsPage = onDemand(['statistics', 'quotas'], () => import('../statistics/statistics-page.jsx'));
const SettingsPage = onDemand(['settings'], () => import('../settings/settings-page.jsx'));
const OwnAccountPage = onDemand(['accounts', 'settings', 'quotas'], () => import('../accounts/own-account-page.jsx'));
const ViewDialog = onDemand(['views'], () => import('../list/view-dialog.jsx'));
const NotFound = onDemand([], () => import('./not-found.jsx'));

export function Shell() {
  const renewPreferences = keepAccountPreferences(me().id, (reason) =>
    showNote({ look: 'bad', text: t('view.notSaved', { reason }) }),
  );
  const live = createLive();
  const list = createListModel(live.torrents);
  keepFilterInUrl(list);
  // What there is to know of other servers comes with the first that is told of.
  const seesServers = createMemo((did) => did || live.servers().length > 0, false);
  const owner = getOwner();
  createEffect(() => {
    if (!seesServers()) return;
    void import('../servers/seen-servers.js').then(({ followServers }) =>
      runWithOwner(owner, () => followServers(live)),
    );
  });
  showActivity(live);
  // A user who has signed in again does not wait for the next attempt.
  const isSignedIn = createMemo(() => sessionState().kind === 'signedIn');
  createEffect(
    on(
      isSignedIn,
      (is) => {
        if (!is) return;
        live.connection.reconnect();
        renewPreferences();
      },
      { defer: true },
    ),
  );
  createEffect(
    on(
      () => live.torrents.isLoaded,
      (is) => is && fetchAhead(),
    ),
  );
  return (
    <Context.Provider value={{ live, list }}>
      <Router root={Frame} base={BASE}>
        <Route path="/" component={TorrentsPage} />
        <Route path="/statistics" component={StatisticsPage} />
        <Route path="/feeds" component={FeedsPage} />
        <Route path="/settings/:page?" component={SettingsPage} />
        <Route path="/account" component={OwnAccountPage} />
        <Route path="*" component={NotFound} />
      </Router>
    </Context.Provider>
  );
}

function Frame(props: RouteSectionProps) {
  const { live, list } = useShell();
  const navigate = useNavigate();
  const location = useLocation();
  const drawer = createDrawer();
  const side = createSideState();
  const isListShown = () => isListAt(location.pathname);
  const isStale = () => isConnectionLost(live.connection.state()) || isEngineAway(live.stats());
  // Other pages have nothing to filter.
  const isSideWhole = () => isListShown() && side.isWhole();
  openStartPage(navigate);
  // The window is not behind the drawer that it was asked for in.
  createEffect(() => list.views.question() && drawer.close());
  const toggleSide = () => {
    if (isPhone()) drawer.toggle();
    else if (isListShown()) side.toggle();
  };
  let content!: HTMLElement;
  return (
    <div class={styles['shell']} data-stale={isStale()}>
      <a
        class={styles['skip']}
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          if (!focusList()) content.focus();
        }}
      >
        {t('app.skip')}
      </a>
      <div inert={drawer.isOpen()}>
        <TopBar
          live={live}
          model={list}
          isMenuOpen={isPhone() ? drawer.isOpen() : isSideWhole()}
          onMenu={isPhone() || isListShown() ? toggleSide : null}
          onGo={navigate}
        />
        <UpdateNotice update={live.update()} />
        <ConnectionBanner connection={live.connection} />
        <EngineBanner live={live} />
        <DiskBanner
          torrents={live.torrents}
          onShow={() => {
            list.setFilter({ ...NO_FILTER, only: ['state:disk'] });
            navigate('/');
          }}
        />
      </div>
      <div class={styles['columns']}>
        <SideBar
          ref={drawer.ref}
          model={list}
          isListShown={isListShown()}
          isOpen={drawer.isOpen()}
          isStrip={!isPhone() && !isSideWhole()}
          onClose={drawer.close}
        >
          <Show when={isPhone() && drawer.isOpen()}>
            <StatusBar live={live} look="stack" />
          </Show>
        </SideBar>
        <main ref={content} id="content" tabindex="-1" class={styles['main']} inert={drawer.isOpen()}>
          {props.children}
        </main>
      </div>
      <Show when={!isPhone()}>
        <StatusPlace live={live} />
      </Show>
      <BottomBar model={list} isInert={drawer.isOpen()} />
      <AddAnywhere />
      <Show when={list.views.question()} keyed>
        {(question) => <ViewDialog model={list} question={question} />}
      </Show>
      <PageShortcuts model={list} onSide={toggleSide} />
    </div>
  );
}
