// All accounts, for administrators: what each may do, and changing it.
import { createSignal, For, Show } from 'solid-js';
import type { UserDto } from '../../../../../shared-protocol/dto/accounts.js';
import type { EngineDto } from '../../../../../shared-protocol/dto/engines.js';
import { attempt } from '../../actions/perform.js';
import { date, inert } from '../../format/quantities.js';
import { call } from '../../net/http.js';
import { fetchEngines } from '../../state/engines.js';
import { createFetched } from '../../state/fetched.js';
import { me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Dialog } from '../../ui/dialog.jsx';
import { Icon } from '../../ui/icons.jsx';
import { MenuButton, type MenuEntry } from '../../ui/menu.jsx';
import { bootstrap } from '../settings/bootstrap.js';
import { ConfirmDialog } from '../settings/confirm-dialog.jsx';
import { Section } from '../settings/section.jsx';
import { whenSignedInAgain } from '../settings/when-signed-in-again.js';
import { AccountDialog } from './account-dialog.jsx';
import { engineText } from './engine-choice.js';
import { NewPasswordForm } from './new-password-form.jsx';
import { PERMISSIONS } from './permissions.js';
import styles from './accounts.module.css';

const FIRST_ACCOUNT = 1;

type UserAction = 'edit' | 'password' | 'key' | 'delete';
type Opened = { readonly kind: UserAction; readonly user: UserDto } | { readonly kind: 'new' };

export default function AccountsPage() {
  const users = createFetched<readonly UserDto[]>('/api/users');
  const engines = fetchEngines();
  const known = () => engines.value() ?? [];
  whenSignedInAgain(() => {
    void users.reload();
    void engines.reload();
  });
  const [opened, setOpened] = createSignal<Opened | null>(null);
  const close = () => setOpened(null);
  const userOf = (kind: Opened['kind']) => {
    const now = opened();
    return now?.kind === kind && 'user' in now ? now.user : null;
  };
  const change = (request: () => Promise<unknown>) =>
    attempt(async () => {
      await request();
      await users.reload();
    });
  const remove = (user: UserDto) => {
    close();
    void change(() => call('DELETE', `/api/users/${user.id}`));
  };
  const endKey = (user: UserDto) => {
    close();
    void change(() => call('DELETE', `/api/users/${user.id}/api_key`));
  };
  const single = () => (bootstrap.value()?.multi_user === false ? t('accounts.single') : null);
  return (
    <Section isWide about={t('accounts.about')}>
      <div>
        <Button look="primary" refused={single()} onClick={() => setOpened({ kind: 'new' })}>
          {t('accounts.new')}
        </Button>
      </div>
      <Show when={users.error()}>
        <p role="alert">{users.error()}</p>
      </Show>
      <ul class={styles['rows']} aria-label={t('accounts.title')}>
        <For each={users.value()}>
          {(user) => (
            <Row
              user={user}
              engines={known()}
              onOpen={(kind) => setOpened({ kind, user })}
              onDisable={(disabled) => void change(() => call('PUT', `/api/users/${user.id}`, { disabled }))}
            />
          )}
        </For>
      </ul>
      <AccountDialog
        isOpen={opened()?.kind === 'new' || userOf('edit') !== null}
        user={userOf('edit')}
        engines={known()}
        onClose={close}
        onChanged={users.reload}
      />
      <Dialog
        size="small"
        title={t('accounts.resetTitle', { name: inert(userOf('password')?.username ?? '') })}
        isOpen={userOf('password') !== null}
        onClose={close}
      >
        <Show when={userOf('password')} keyed>
          {({ id, username, has_api_key }) => (
            <>
              <p class="muted">{t('accounts.resetAbout')}</p>
              <NewPasswordForm
                method="POST"
                path={`/api/users/${id}/password`}
                field="new_password"
                username={username}
                endsOwnSession={id === me().id}
                mayEndKey={has_api_key}
                onClose={() => {
                  close();
                  void users.reload();
                }}
              />
            </>
          )}
        </Show>
      </Dialog>
      <ConfirmDialog
        title={t('accounts.endKeyTitle', { name: inert(userOf('key')?.username ?? '') })}
        text={t('accounts.endKeyText')}
        confirm={t('accounts.key.end')}
        isOpen={userOf('key') !== null}
        onClose={close}
        onConfirm={() => endKey(userOf('key')!)}
      />
      <ConfirmDialog
        title={t('accounts.deleteTitle', { name: inert(userOf('delete')?.username ?? '') })}
        text={t('accounts.deleteText')}
        confirm={t('settings.delete')}
        isOpen={userOf('delete') !== null}
        onClose={close}
        onConfirm={() => remove(userOf('delete')!)}
      />
    </Section>
  );
}

interface RowProps {
  readonly user: UserDto;
  readonly engines: readonly EngineDto[];
  readonly onOpen: (kind: UserAction) => void;
  readonly onDisable: (disabled: boolean) => void;
}

function Row(props: RowProps) {
  const isOwn = () => props.user.id === me().id;
  const menu = (): readonly MenuEntry[] => [
    { label: t('settings.edit'), run: () => props.onOpen('edit') },
    { label: t('accounts.reset'), run: () => props.onOpen('password') },
    {
      label: t('accounts.endKey'),
      refused: props.user.has_api_key ? null : t('accounts.noKey'),
      run: () => props.onOpen('key'),
    },
    {
      label: props.user.disabled ? t('accounts.enable') : t('accounts.disable'),
      // No user is to lock themselves out by one wrong click.
      refused: isOwn() ? t('accounts.ownDisable') : null,
      run: () => props.onDisable(!props.user.disabled),
    },
    'separator',
    {
      label: t('accounts.delete'),
      isDangerous: true,
      refused: props.user.id === FIRST_ACCOUNT ? t('accounts.firstStays') : isOwn() ? t('accounts.ownStays') : null,
      run: () => props.onOpen('delete'),
    },
  ];
  return (
    <li class={styles['row']} data-off={props.user.disabled}>
      <div class={styles['words']}>
        <span class={styles['marks']}>
          <strong>{inert(props.user.username)}</strong>
          <Show when={isOwn()}>
            <span class="muted">{t('accounts.you')}</span>
          </Show>
          <span class={styles['mark']}>{t(`accounts.roles.${props.user.role}`)}</span>
          <Show when={props.user.disabled}>
            <span class={`${styles['mark']} ${styles['bad']}`}>{t('accounts.disabled')}</span>
          </Show>
          <Show when={!props.user.password_set}>
            <span class={`${styles['mark']} ${styles['bad']}`}>{t('accounts.noPassword')}</span>
          </Show>
        </span>
        <span class="muted">{permissionsText(props.user)}</span>
        <span class="muted">
          {t('accounts.created', { date: date(props.user.created_at) })}
          <Show when={props.user.has_api_key}>
            {' · '}
            {t('accounts.key.hint', { hint: props.user.api_key_hint })}
          </Show>
        </span>
        <Show when={props.engines.length > 0}>
          <span class="muted">{t('accounts.onEngine', { name: engineText(props.engines, props.user.engine) })}</span>
        </Show>
      </div>
      <MenuButton
        class={styles['more']}
        title={t('accounts.actionsOf', { name: inert(props.user.username) })}
        label={<Icon name="more" />}
        entries={menu()}
      />
    </li>
  );
}

function permissionsText(user: UserDto): string {
  if (user.role === 'admin') return t('accounts.everything');
  const allowed = PERMISSIONS.filter((permission) => user[permission]);
  if (allowed.length === 0) return t('accounts.nothing');
  return allowed.map((permission) => t(`accounts.permissions.${permission}`)).join(', ');
}
