// The shortcuts that every page has, and the sheet that tells of them.
import { useNavigate } from '@solidjs/router';
import { takeOffer } from '../../ui/toasts.jsx';
import { openAdd } from '../add/draft.js';
import { listAddress } from '../list/filter-in-url.js';
import type { ListModel } from '../list/list-model.js';
import { HelpSheet, openHelp } from './help.jsx';
import { listenToKeys, offerShortcuts } from './keyboard.js';

export function PageShortcuts(props: { readonly model: ListModel }) {
  const navigate = useNavigate();
  listenToKeys();
  offerShortcuts({
    add: () => openAdd(),
    help: openHelp,
    undo: takeOffer,
    goTorrents: () => navigate(listAddress(props.model)),
    goFeeds: () => navigate('/feeds'),
    goSettings: () => navigate('/settings'),
  });
  return <HelpSheet />;
}
