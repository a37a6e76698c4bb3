// The engines of this server, where there are several; other servers: how it goes with each, setting them up for
// administrators, and the torrents that are on them.
import { createSignal, Show } from 'solid-js';
import type { RemoteDto, RemoteTestDto } from '../../../../../shared-protocol/dto/remotes.js';
import { attempt } from '../../actions/perform.js';
import { bytes, dateTime, inert } from '../../format/quantities.js';
import { call } from '../../net/http.js';
import { ForKeyed } from '../../ui/for-keyed.jsx';
import { createEngines } from '../../state/engines.js';
import { createFetched, reloadEvery } from '../../state/fetched.js';
import { me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Icon } from '../../ui/icons.jsx';
import { MenuButton, type MenuEntry } from '../../ui/menu.jsx';
import { showNote } from '../../ui/toasts.jsx';
import { EnginesSection } from '../engines/engines-section.jsx';
import { ConfirmDialog } from '../settings/confirm-dialog.jsx';
import { Section } from '../settings/section.jsx';
import { whenSignedInAgain } from '../settings/when-signed-in-again.js';
import { useShell } from '../shell/shell.jsx';
import { MovesSection } from './moves-section.jsx';
import { ServerDialog } from './server-dialog.jsx';
import { ServerTorrents } from './server-torrents.jsx';
import buttons from '../../ui/button.module.css';
import lists from '../accounts/accounts.module.css';
import styles from './servers.module.css';

const LOOK_EVERY_MS = 5_000;

type Opened = { readonly kind: 'edit' | 'delete'; readonly server: RemoteDto } | { readonly kind: 'new' };

export default function ServersPage() {
  const servers = createFetched<readonly RemoteDto[]>('/api/remotes');
  whenSignedInAgain(() => void servers.reload());
  reloadEvery(servers, LOOK_EVERY_MS);
  const engines = createEngines(useShell().live);
  const hasEngines = () => engines.all().length > 0;
  const drain = (name: string, draining: boolean) =>
    attempt(async () => {
      await call('PUT', `/api/engines/${encodeURIComponent(name)}`, { draining });
      await engines.reload();
    });
  const [opened, setOpened] = createSignal<Opened | null>(null);
  const close = () => setOpened(null);
  const serverOf = (kind: Opened['kind']) => {
    const now = opened();
    return now?.kind === kind && 'server' in now ? now.server : null;
  };
  const isAdmin = () => me().role === 'admin';
  const change = (request: () => Promise<unknown>) =>
    attempt(async () => {
      await request();
      await servers.reload();
    });
  const remove = ({ id }: RemoteDto) => {
    close();
    void change(() => call('DELETE', `/api/remotes/${id}`));
  };
  return (
    <>
      <Show when={hasEngines()}>
        <EnginesSection engines={engines.all()} onDrain={(name, draining) => void drain(name, draining)} />
      </Show>
      <Section isWide title={hasEngines() ? t('servers.others') : undefined} about={t('servers.about')}>
        <Show when={isAdmin()}>
          <div>
            <Button look="primary" onClick={() => setOpened({ kind: 'new' })}>
              {t('servers.add')}
            </Button>
          </div>
        </Show>
        <Show when={servers.error()}>
          <p role="alert">{servers.error()}</p>
        </Show>
        <Show when={servers.value()?.length === 0}>
          <p class="muted">{t('servers.none')}</p>
        </Show>
        <ul class={lists['rows']} aria-label={t('settings.pages.servers')}>
          <ForKeyed each={servers.value()} keyOf={({ id }) => id}>
            {(server) => (
              <Row
                server={server()}
                isAdmin={isAdmin()}
                onOpen={(kind) => setOpened({ kind, server: server() })}
                onEnable={(enabled) => void change(() => call('PUT', `/api/remotes/${server().id}`, { enabled }))}
              />
            )}
          </ForKeyed>
        </ul>
      </Section>
      <MovesSection servers={servers.value() ?? []} />
      <Show when={servers.value()?.length}>
        <ServerTorrents servers={servers.value() ?? []} />
      </Show>
      <ServerDialog
        isOpen={opened()?.kind === 'new' || serverOf('edit') !== null}
        server={serverOf('edit')}
        onClose={close}
        onChanged={servers.reload}
      />
      <ConfirmDialog
        title={t('servers.deleteTitle', { name: inert(serverOf('delete')?.name ?? '') })}
        text={t('servers.deleteText')}
        confirm={t('servers.delete')}
        isOpen={serverOf('delete') !== null}
        onClose={close}
        onConfirm={() => remove(serverOf('delete')!)}
      />
    </>
  );
}

interface RowProps {
  readonly server: RemoteDto;
  readonly isAdmin: boolean;
  readonly onOpen: (kind: 'edit' | 'delete') => void;
  readonly onEnable: (enabled: boolean) => void;
}

function Row(props: RowProps) {
  const menu = (): readonly MenuEntry[] => [
    { label: t('settings.edit'), run: () => props.onOpen('edit') },
    { label: t('servers.test'), run: () => void test(props.server) },
    {
      label: t(props.server.enabled ? 'servers.disable' : 'servers.enable'),
      run: () => props.onEnable(!props.server.enabled),
    },
    'separator',
    { label: t('servers.delete'), isDangerous: true, run: () => props.onOpen('delete') },
  ];
  const isBad = () => props.server.state === 'unreachable' || props.server.state === 'refused';
  return (
    <li class={lists['row']} data-off={!props.server.enabled}>
      <div class={lists['words']}>
        <span class={lists['marks']}>
          <strong>{inert(props.server.name)}</strong>
          <span class={`${lists['mark']} ${styles['state']}`} data-state={props.server.state}>
            {t(`servers.states.${props.server.state}`)}
          </span>
        </span>
        <Show when={isBad()}>
          <span class={styles['bad']}>
            {t('servers.away', { reason: inert(props.server.reason ?? ''), time: dateTime(props.server.since) })}
          </span>
        </Show>
        <span class="muted">
          {t('servers.torrents', { count: props.server.torrents })}
          <Show when={props.server.url}>
            {' · '}
            {inert(props.server.url ?? '')}
          </Show>
        </span>
      </div>
      <Show when={props.isAdmin}>
        <MenuButton
          class={`${buttons['button']} ${lists['more']}`}
          title={t('servers.actionsOf', { name: inert(props.server.name) })}
          label={<Icon name="more" />}
          entries={menu()}
        />
      </Show>
    </li>
  );
}

async function test({ id, name }: RemoteDto): Promise<void> {
  const answer = await attempt(() => call<RemoteTestDto>('POST', `/api/remotes/${id}/test`));
  if (!answer) return;
  const { version, username, free_bytes } = answer;
  const values = { name: inert(name), version: inert(version), username: inert(username) };
  const text =
    free_bytes === null
      ? t('servers.answers', values)
      : t('servers.answersWithRoom', { ...values, free: bytes(free_bytes) });
  showNote({ look: 'good', text });
}
