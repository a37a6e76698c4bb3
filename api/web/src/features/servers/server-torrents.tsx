// The torrents on other servers: found by name, and the few things that are done to them from here.
import { createMemo, createSignal, Show } from 'solid-js';
import type { RemoteDto } from '../../../../../shared-protocol/dto/remotes.js';
import type { TorrentDto } from '../../../../../shared-protocol/dto/torrents.js';
import { attempt } from '../../actions/perform.js';
import { bytes, inert, percent, rate, ratio } from '../../format/quantities.js';
import { call } from '../../net/http.js';
import { ForKeyed } from '../../ui/for-keyed.jsx';
import { createFetched, reloadEvery } from '../../state/fetched.js';
import { stateOf } from '../../state/torrent-state.js';
import { t } from '../../strings/index.js';
import { Icon } from '../../ui/icons.jsx';
import { MenuButton, type MenuEntry } from '../../ui/menu.jsx';
import { showNote } from '../../ui/toasts.jsx';
import { ConfirmDialog } from '../settings/confirm-dialog.jsx';
import { Section } from '../settings/section.jsx';
import buttons from '../../ui/button.module.css';
import lists from '../accounts/accounts.module.css';
import styles from './servers.module.css';

const LOOK_EVERY_MS = 5_000;
const MAX_SHOWN = 100;

type ServerTorrent = TorrentDto & { readonly server_id?: number };

export function ServerTorrents(props: { readonly servers: readonly RemoteDto[] }) {
  const all = createFetched<readonly ServerTorrent[]>('/api/torrents?servers=all');
  reloadEvery(all, LOOK_EVERY_MS);
  const [query, setQuery] = createSignal('');
  const [removing, setRemoving] = createSignal<ServerTorrent | null>(null);
  const found = createMemo(() => {
    const words = query().trim().toLowerCase();
    const there = (all.value() ?? []).filter(({ server_id }) => server_id !== undefined);
    return there.filter(({ name }) => name.toLowerCase().includes(words));
  });
  const serverOf = ({ server_id }: ServerTorrent) => props.servers.find(({ id }) => id === server_id);
  const act = (request: () => Promise<unknown>, done?: string) =>
    attempt(async () => {
      await request();
      if (done !== undefined) showNote({ look: 'good', text: done });
      await all.reload();
    });
  const remove = ({ id, server_id }: ServerTorrent) => {
    setRemoving(null);
    void act(() => call('DELETE', `/api/torrents/${id}?server_id=${server_id}`));
  };
  const menuOf = ({ id, server_id, name, paused }: ServerTorrent): readonly MenuEntry[] => {
    const verb = paused ? 'resume' : 'pause';
    const bring = { infohash: id, from: server_id, to: null };
    return [
      {
        label: t(`servers.${verb}`),
        run: () => void act(() => call('POST', `/api/torrents/${id}/${verb}?server_id=${server_id}`)),
      },
      {
        label: t('servers.bring'),
        run: () =>
          void act(() => call('POST', '/api/server_moves', bring), t('servers.bringing', { name: inert(name) })),
      },
      'separator',
      {
        label: t('servers.remove'),
        isDangerous: true,
        run: () =>
          setRemoving((all.value() ?? []).find((each) => each.id === id && each.server_id === server_id) ?? null),
      },
    ];
  };
  return (
    <Section isWide title={t('servers.there')}>
      <input
        type="search"
        class={styles['search']}
        aria-label={t('servers.search')}
        placeholder={t('servers.search')}
        value={query()}
        onInput={(event) => setQuery(event.currentTarget.value)}
      />
      <Show when={all.error()}>
        <p role="alert">{all.error()}</p>
      </Show>
      <Show when={all.value() && found().length === 0}>
        <p class="muted">{t('servers.noTorrents')}</p>
      </Show>
      <ul class={lists['rows']} aria-label={t('servers.there')}>
        <ForKeyed each={found().slice(0, MAX_SHOWN)} keyOf={({ id, server_id }) => `${server_id}/${id}`}>
          {(torrent) => (
            <li class={lists['row']} data-off={serverOf(torrent())?.state !== 'connected'}>
              <div class={lists['words']}>
                <span class={styles['name']}>{inert(torrent().name)}</span>
                <span class="muted">{lineOf(torrent(), serverOf(torrent())?.name ?? '')}</span>
              </div>
              <MenuButton
                class={`${buttons['button']} ${lists['more']}`}
                title={t('servers.actionsOf', { name: inert(torrent().name) })}
                label={<Icon name="more" />}
                entries={menuOf(torrent())}
              />
            </li>
          )}
        </ForKeyed>
      </ul>
      <Show when={found().length > MAX_SHOWN}>
        <p class="muted">{t('servers.more', { count: found().length - MAX_SHOWN })}</p>
      </Show>
      <ConfirmDialog
        title={t('servers.removeTitle', { name: inert(removing()?.name ?? '') })}
        text={t('servers.removeText')}
        confirm={t('servers.removeConfirm')}
        isOpen={removing() !== null}
        onClose={() => setRemoving(null)}
        onConfirm={() => remove(removing()!)}
      />
    </Section>
  );
}

function lineOf(torrent: ServerTorrent, server: string): string {
  const { total_bytes, progress, download_rate, upload_rate } = torrent;
  const state = t(`state.${stateOf(torrent)}`);
  // Before its metadata is there it has no size.
  const isPart = !torrent.completed && total_bytes > 0;
  const parts = [inert(server), isPart ? `${state} ${percent(progress)}` : state];
  if (total_bytes > 0) parts.push(bytes(total_bytes));
  if (download_rate > 0) parts.push(`↓ ${rate(download_rate)}`);
  if (upload_rate > 0) parts.push(`↑ ${rate(upload_rate)}`);
  return [...parts, t('servers.ratio', { ratio: ratio(torrent.ratio) })].join(' · ');
}
