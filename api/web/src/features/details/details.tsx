// The torrent that is opened: which one it is, what the server is asked of it, and where it is shown: below the list, or
// over all of a narrow screen. The panel itself comes when it is first needed.
import { createEffect, createMemo, on, Show, type Accessor, type JSX } from 'solid-js';
import type { Torrent } from '../../live/messages.js';
import { createFocus } from '../../state/focus.js';
import { createPreference, isOneOf } from '../../state/preferences.js';
import { watchTorrent } from '../../state/torrents.js';
import { onDemand } from '../../ui/on-demand.jsx';
import { focusList } from '../list/focus-list.js';
import { isPhone } from '../shell/phone.js';
import type { ShellContext } from '../shell/shell.jsx';
import type { PanelProps, SheetProps } from './panel.jsx';
import { speedLogOf } from './speed-log.js';
import { focusTabsOf, TABS, tabsFor, type TabName } from './tabs.js';

export const Panel = onDemand<PanelProps>(['details', 'verbs'], async () => ({
  default: (await import('./panel.jsx')).Panel,
}));
const Sheet = onDemand<SheetProps>(['details', 'verbs'], async () => ({
  default: (await import('./panel.jsx')).Sheet,
}));

export interface DetailsProps {
  readonly shell: ShellContext;
  readonly id: string;
  /** The controls for a torrent, where the list is covered. */
  readonly tools: (torrent: Accessor<Torrent>) => JSX.Element;
}

export function Details(props: DetailsProps) {
  const { live, list } = props.shell;
  const torrent = watchTorrent(live.torrents, () => props.id);
  const [chosen, choose] = createPreference<TabName>('details.tab', 'overview', isOneOf(TABS));
  /** Another torrent may not have the one that is remembered. */
  const tab = createMemo(() => {
    const shown = torrent();
    return shown && tabsFor(shown).includes(chosen()) ? chosen() : 'overview';
  });
  const { detail, refusal } = createFocus(
    live,
    () => props.id,
    () => focusTabsOf(tab()),
  );
  createEffect(() => speedLogOf(live).follow(props.id));
  // A user who walks through the list looks at one after the other.
  createEffect(
    on(
      list.selection,
      ({ ids }) => {
        const [only] = ids;
        if (ids.size === 1 && only !== undefined) list.open(only);
      },
      { defer: true },
    ),
  );
  createEffect(() => live.torrents.isLoaded && !torrent() && list.open(null));
  const close = () => {
    list.open(null);
    focusList();
  };
  const common = { live, detail, refusal, onTab: choose, onClose: close };
  return (
    <Show when={torrent()}>
      {(shown) => (
        <Show when={isPhone()} fallback={<Panel {...common} torrent={shown} tab={tab()} />}>
          <Sheet {...common} torrent={shown} tab={tab()} tools={props.tools(shown)} />
        </Show>
      )}
    </Show>
  );
}
