// The details with their tabs: as a panel whose height can be changed, and as a sheet over the whole screen.
import { Dialog } from '@kobalte/core/dialog';
import { Tabs } from '@kobalte/core/tabs';
import { createMemo, createSignal, For, onCleanup, Show, Suspense, type Component, type JSX } from 'solid-js';
import { Dynamic } from 'solid-js/web';
import { inert } from '../../format/quantities.js';
import { createPreference, isFiniteNumber } from '../../state/preferences.js';
import { awayText, serverText, stateText } from '../list/parts.jsx';
import { awayServerOf } from '../../state/servers.js';
import { t } from '../../strings/index.js';
import { afterPaint } from '../../ui/after-paint.js';
import { closeOnBack } from '../../ui/back-closes.js';
import { Icon } from '../../ui/icons.jsx';
import { onDemand } from '../../ui/on-demand.jsx';
import { Files } from './files.jsx';
import { Limits } from './limits.jsx';
import { Overview } from './overview.jsx';
import { Peers } from './peers.jsx';
import { ResizeHandle } from './resize-handle.jsx';
import { Sharing } from './sharing.jsx';
import { countOf, tabsFor, type TabName, type TabProps } from './tabs.js';
import { Trackers } from './trackers.jsx';
import styles from './panel.module.css';

const Speed = onDemand(['bottlenecks'], () => import('./speed.jsx'));

const CONTENTS: Readonly<Record<TabName, Component<TabProps>>> = {
  overview: Overview,
  files: Files,
  peers: Peers,
  trackers: Trackers,
  speed: Speed,
  sharing: Sharing,
  limits: Limits,
};

/** The share of the screen that it takes at first, and no less than what is above the facts needs. */
const FIRST_SHARE = 0.42;
const FIRST_LEAST_PX = 320;

export interface PanelProps extends TabProps {
  readonly tab: TabName;
  readonly onTab: (tab: TabName) => void;
  readonly onClose: () => void;
}

export function Panel(props: PanelProps) {
  const [heightPx, setHeightPx] = createPreference(
    'details.height',
    Math.max(Math.round(innerHeight * FIRST_SHARE), FIRST_LEAST_PX),
    isFiniteNumber,
  );
  return (
    <section
      class={styles['panel']}
      style={{ '--height': `${heightPx()}px` }}
      aria-label={t('details.title', { name: inert(props.torrent().name) })}
      // Of this element, not delegated: dialogs that belong to the panel have an Escape of their own.
      on:keydown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        props.onClose();
      }}
    >
      <ResizeHandle heightPx={heightPx()} onResize={setHeightPx} />
      <Content
        {...props}
        title={<h2 class={styles['title']}>{inert(props.torrent().name)}</h2>}
        close={
          <button type="button" class={styles['close']} aria-label={t('common.close')} onClick={() => props.onClose()}>
            <Icon name="close" />
          </button>
        }
      />
    </section>
  );
}

export interface SheetProps extends PanelProps {
  /** The controls for the torrent, which the list behind it has for a pointer. */
  readonly tools: JSX.Element;
}

export function Sheet(props: SheetProps) {
  closeOnBack(() => props.onClose());
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && props.onClose()}>
      <Dialog.Portal>
        <Dialog.Content class={styles['sheet']}>
          <Content
            {...props}
            title={
              <Dialog.Title as="h2" class={styles['title']}>
                {inert(props.torrent().name)}
              </Dialog.Title>
            }
            close={
              <Dialog.CloseButton class={styles['close']} aria-label={t('common.close')}>
                <Icon name="close" />
              </Dialog.CloseButton>
            }
            tools={<div class={styles['tools']}>{props.tools}</div>}
          />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog>
  );
}

interface ContentProps extends PanelProps {
  readonly title: JSX.Element;
  readonly close: JSX.Element;
  readonly tools?: JSX.Element;
}

function Content(props: ContentProps) {
  /** The head is seen first: what is in a tab takes as long again to be made. */
  const [isDrawn, setIsDrawn] = createSignal(false);
  onCleanup(afterPaint(() => setIsDrawn(true)));
  /** The torrent, and whether its server is there: what is asked of one that is away is asked again when it is back. */
  const shown = createMemo(() => `${props.torrent().id} ${awayServerOf(props.torrent()) ? 'away' : ''}`);
  const tabs = createMemo(() => tabsFor(props.torrent()), [], { equals: (a, b) => a.length === b.length });
  const titleOf = (tab: TabName) => {
    const title = t(`details.tabs.${tab}`);
    const count = countOf(tab, props.torrent(), props.detail());
    return count === null ? title : t('details.tabs.counted', { tab: title, count });
  };
  return (
    <Tabs
      class={styles['tabs']}
      value={props.tab}
      onChange={(value) => {
        const tab = tabs().find((name) => name === value);
        if (tab) props.onTab(tab);
      }}
    >
      <div class={styles['head']}>
        {props.title}
        <span class={styles['state']}>
          {stateText(props.torrent())}
          <Show when={props.torrent().server_id !== undefined}> · {serverText(props.torrent())}</Show>
        </span>
        {props.close}
      </div>
      {props.tools}
      <Show when={awayText(props.torrent())}>{(text) => <p class={styles['away']}>{text()}</p>}</Show>
      <Tabs.List class={styles['list']} aria-label={t('details.tabs.title')}>
        <For each={tabs()}>
          {(tab) => (
            <Tabs.Trigger value={tab} class={styles['tab']}>
              {titleOf(tab)}
            </Tabs.Trigger>
          )}
        </For>
      </Tabs.List>
      <For each={tabs()}>
        {(tab) => (
          <Tabs.Content value={tab} class={styles['content']} tabindex="-1">
            <Suspense>
              <Show when={isDrawn() && shown()} keyed>
                <Dynamic
                  component={CONTENTS[tab]}
                  live={props.live}
                  torrent={props.torrent}
                  detail={props.detail}
                  refusal={props.refusal}
                />
              </Show>
            </Suspense>
          </Tabs.Content>
        )}
      </For>
    </Tabs>
  );
}
