// All accounts, for administrators: what each may do, and changing it.
import { createSignal, Show } from 'solid-js';
import type { UserDto } from '../../../../../shared-protocol/dto/accounts.js';
import type { StorageDto } from '../../../../../shared-protocol/dto/storage.js';
import { attempt } from '../../actions/perform.js';
import { inert } from '../../format/quantities.js';
import { call } from '../../net/http.js';
import { fetchEngines } from '../../state/engines.js';
import { createFetched } from '../../state/fetched.js';
import { me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Dialog } from '../../ui/dialog.jsx';
import { isBounded } from '../quotas/bounds.js';
import { bootstrap } from '../settings/bootstrap.js';
import { ConfirmDialog } from '../settings/confirm-dialog.jsx';
import { Section } from '../settings/section.jsx';
import { whenSignedInAgain } from '../settings/when-signed-in-again.js';
import { createPolled } from '../../state/polled.js';
import { AccountDialog } from './account-dialog.jsx';
import { AccountRow, type UserAction } from './account-row.jsx';
import { NewPasswordForm } from './new-password-form.jsx';
import { ForKeyed } from '../../ui/for-keyed.jsx';
import styles from './accounts.module.css';

type Opened = { readonly kind: UserAction; readonly user: UserDto } | { readonly kind: 'new' };

const NOTHING = { torrents: 0, size: 0 };

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
  const storage = createPolled<StorageDto>(() => (users.value()?.some(isBounded) ? '/api/storage' : null));
  const takenBy = (user: UserDto) => {
    const known = storage()?.accounts;
    return known && isBounded(user) ? (known.find(({ id }) => id === user.id) ?? NOTHING) : null;
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
        <ForKeyed each={users.value()} keyOf={({ id }) => id}>
          {(user) => (
            <AccountRow
              user={user()}
              engines={known()}
              taken={takenBy(user())}
              onOpen={(kind) => setOpened({ kind, user: user() })}
              onDisable={(disabled) => void change(() => call('PUT', `/api/users/${user().id}`, { disabled }))}
            />
          )}
        </ForKeyed>
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
