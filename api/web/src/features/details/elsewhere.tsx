// What stands in the place of lists that only the server of the torrent has.
import { Show } from 'solid-js';
import { inert } from '../../format/quantities.js';
import type { Torrent } from '../../live/messages.js';
import { serverNamed } from '../../state/servers.js';
import { t } from '../../strings/index.js';
import panel from './panel.module.css';

export function Elsewhere(props: { readonly torrent: Torrent; readonly what: 'files' | 'peers' }) {
  const server = () => serverNamed(props.torrent.server_id);
  const values = () => ({ name: inert(server()?.name ?? '') });
  return (
    <p class={panel['empty']}>
      {t(`details.elsewhere.${props.what}`, values())}
      {/* Administrators are told where it is. */}
      <Show when={server()?.url}>
        {(url) => (
          <>
            {' '}
            <a href={url()} target="_blank" rel="noreferrer">
              {t('details.elsewhere.open', values())}
            </a>
          </>
        )}
      </Show>
    </p>
  );
}
