// The shortcuts that every page has, and the sheet that tells of them.
import { useNavigate } from '@solidjs/router';
import { Show } from 'solid-js';
import { onDemand } from '../../ui/on-demand.jsx';
import { takeOffer } from '../../ui/toasts.jsx';
import { openAdd } from '../add/draft.js';
import { listAddress } from '../list/filter-in-url.js';
import type { ListModel } from '../list/list-model.js';
import { isHelpOpen, openHelp } from './help-state.js';
import { listenToKeys, offerShortcuts } from './keyboard.js';

export const HelpSheet = onDemand(['help'], () => import('./help.jsx'));

export interface PageShortcutsProps {
  readonly model: ListModel;
  /** Shows or hides the side bar. */
  readonly onSide: () => void;
}

export function PageShortcuts(props: PageShortcutsProps) {
  const navigate = useNavigate();
  listenToKeys();
  offerShortcuts({
    add: () => openAdd(),
    help: openHelp,
    side: () => props.onSide(),
    undo: takeOffer,
    goTorrents: () => navigate(listAddress(props.model)),
    goStatistics: () => navigate('/statistics'),
    goFeeds: () => navigate('/feeds'),
    goSettings: () => navigate('/settings'),
  });
  return (
    <Show when={isHelpOpen()}>
      <HelpSheet />
    </Show>
  );
}
