// What adds torrents by itself, for who has none yet: only what this account may set up.
import { A } from '@solidjs/router';
import { For, Show } from 'solid-js';
import { may } from '../../state/session.js';
import { t } from '../../strings/index.js';

const WAYS = [
  { path: '/settings/downloads', text: 'list.emptyWatch', permission: 'perm_change_settings' },
  { path: '/feeds', text: 'list.emptyFeeds', permission: 'perm_manage_rss' },
  { path: '/settings/tools', text: 'list.emptyApps', permission: 'perm_add_torrents' },
] as const;

export function OtherWays() {
  const ways = () => WAYS.filter(({ permission }) => may(permission));
  return (
    <Show when={ways().length > 0}>
      <p id="other-ways">{t('list.emptyAlso')}</p>
      <ul aria-labelledby="other-ways">
        <For each={ways()}>
          {({ path, text }) => (
            <li>
              <A href={path}>{t(text)}</A>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}
