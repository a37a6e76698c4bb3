// Making an account, or changing what one may do.
import { For, Show } from 'solid-js';
import type { Permission, UserDto } from '../../../../../shared-protocol/dto/accounts.js';
import { call } from '../../net/http.js';
import { endingSession, me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Dialog } from '../../ui/dialog.jsx';
import { choice, flag, text } from '../settings/codecs.js';
import { CheckControl, ChoiceControl, TextControl } from '../settings/controls.jsx';
import { PathControl } from '../settings/path-control.jsx';
import { createForm } from '../settings/create-form.js';
import { FormFrame } from '../settings/form.jsx';
import { passwordProblems } from './password-problems.js';
import { PERMISSIONS } from './permissions.js';
import styles from './accounts.module.css';

export interface AccountDialogProps {
  readonly isOpen: boolean;
  /** null: a new one. */
  readonly user: UserDto | null;
  readonly onClose: () => void;
  readonly onChanged: () => Promise<void>;
}

type Values = Pick<UserDto, 'username' | 'role' | 'disabled' | 'home' | Permission> & { readonly password: string };

/** The account that most are made as. */
const NEW: Values = {
  username: '',
  password: '',
  role: 'user',
  perm_add_torrents: true,
  perm_share: true,
  perm_manage_cat_tags: false,
  perm_manage_rss: false,
  perm_change_settings: false,
  disabled: false,
  home: '',
};

export function AccountDialog(props: AccountDialogProps) {
  return (
    <Dialog title={props.user ? t('accounts.edit') : t('accounts.new')} isOpen={props.isOpen} onClose={props.onClose}>
      <AccountForm {...props} />
    </Dialog>
  );
}

function AccountForm(props: AccountDialogProps) {
  // As it was when the dialog opened.
  const { user } = props;
  const isOwn = user?.id === me().id;
  const form = createForm<Values>({
    codecs: {
      username: text,
      password: text,
      role: choice(['user', 'admin'] as const),
      perm_add_torrents: flag,
      perm_share: flag,
      perm_manage_cat_tags: flag,
      perm_manage_rss: flag,
      perm_change_settings: flag,
      disabled: flag,
      home: text,
    },
    source: () => ({ ...NEW, ...user }),
    check: ({ password }) => (user ? {} : passwordProblems('password', password, password)),
    async save({ password, ...values }) {
      const request = () =>
        user ? call('PUT', `/api/users/${user.id}`, values) : call('POST', '/api/users', { ...values, password });
      await (isOwn && form.isChanged() ? endingSession('account', values.username, request) : request());
      await props.onChanged();
    },
  });
  const isAdmin = () => form.typed('role') === 'admin';
  return (
    <FormFrame
      form={form}
      saveLabel={user ? t('common.save') : t('accounts.create')}
      onSaved={props.onClose}
      onCancel={props.onClose}
    >
      <Show when={isOwn}>
        <p class={styles['warning']}>{t('accounts.ownWarning')}</p>
      </Show>
      <TextControl form={form} name="username" label={t('signIn.username')} help={t('accounts.usernameHelp')} />
      <Show when={!user}>
        <TextControl
          form={form}
          name="password"
          kind="password"
          autocomplete="new-password"
          label={t('signIn.password')}
          help={t('accounts.passwordHelp')}
        />
      </Show>
      <ChoiceControl
        form={form}
        name="role"
        label={t('accounts.role')}
        options={[
          { value: 'user', label: t('accounts.roles.user'), help: t('accounts.roleHelp.user') },
          { value: 'admin', label: t('accounts.roles.admin'), help: t('accounts.roleHelp.admin') },
        ]}
      />
      <Show when={!isAdmin()}>
        <fieldset class={styles['permissions']}>
          <legend>{t('accounts.may')}</legend>
          <For each={PERMISSIONS}>
            {(permission) => (
              <CheckControl form={form} name={permission} label={t(`accounts.permissions.${permission}`)} />
            )}
          </For>
        </fieldset>
        <PathControl form={form} name="home" label={t('accounts.home')} help={t('accounts.homeHelp')} />
      </Show>
      <Show when={!isOwn}>
        <CheckControl form={form} name="disabled" label={t('accounts.disabled')} help={t('accounts.disabledHelp')} />
      </Show>
    </FormFrame>
  );
}
