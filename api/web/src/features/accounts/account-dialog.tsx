// Making an account, or changing what one may do.
import { For, Show } from 'solid-js';
import type { AccountQuota, Permission, UserDto } from '../../../../../shared-protocol/dto/accounts.js';
import type { EngineDto } from '../../../../../shared-protocol/dto/engines.js';
import { PLACED_BY_FLEET } from '../../../../../shared-protocol/engine-choice.js';
import { call } from '../../net/http.js';
import { endingSession, me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Dialog } from '../../ui/dialog.jsx';
import { quotaCodecs } from '../quotas/quota-codecs.js';
import { QuotaFields } from '../quotas/quota-fields.jsx';
import { choice, flag, text } from '../settings/codecs.js';
import { CheckControl, ChoiceControl, SelectControl, TextControl } from '../settings/controls.jsx';
import { PathControl } from '../settings/path-control.jsx';
import { createForm } from '../settings/create-form.js';
import { FormFrame } from '../settings/form.jsx';
import { engineFor, engineOptions } from './engine-choice.js';
import { passwordProblems } from './password-problems.js';
import { PERMISSIONS } from './permissions.js';
import styles from './accounts.module.css';

export interface AccountDialogProps {
  readonly isOpen: boolean;
  /** null: a new one. */
  readonly user: UserDto | null;
  /** None where one engine is all: there is nothing to choose. */
  readonly engines: readonly EngineDto[];
  readonly onClose: () => void;
  readonly onChanged: () => Promise<void>;
}

type Values = Pick<UserDto, 'username' | 'role' | 'disabled' | 'home' | 'engine' | Permission> &
  AccountQuota & { readonly password: string };

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
  engine: '',
  bytes: 0,
  torrents: 0,
  active: 0,
  down_kbps: 0,
  up_kbps: 0,
  up_bytes_month: 0,
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
      engine: text,
      ...quotaCodecs(() => !isAdmin()),
    },
    source: () => ({ ...NEW, ...user, ...user?.quota }),
    check: ({ password }) => (user ? {} : passwordProblems('password', password, password)),
    async save({ password, engine, bytes, torrents, active, down_kbps, up_kbps, up_bytes_month, ...others }) {
      const quota = { bytes, torrents, active, down_kbps, up_kbps, up_bytes_month };
      // Administrators have none; what is set stays for when they are none.
      const values = { ...others, ...(!isAdmin() && { quota }), ...(hasChoice() && { engine }) };
      const request = () =>
        user ? call('PUT', `/api/users/${user.id}`, values) : call('POST', '/api/users', { ...values, password });
      await (isOwn && form.isChanged() ? endingSession('account', values.username, request) : request());
      await props.onChanged();
    },
  });
  const hasChoice = () => props.engines.length > 0;
  const isAdmin = (): boolean => form.typed('role') === 'admin';
  const engineOf = (name: string) => engineFor(props.engines, name);
  const isPlaced = () => form.typed('engine') === PLACED_BY_FLEET;
  const homeHelp = () => {
    if (!hasChoice()) return t('accounts.homeHelp');
    return `${t('accounts.homeHelp')} ${t(isPlaced() ? 'accounts.homeOnEngines' : 'accounts.homeOnEngine')}`;
  };
  return (
    <FormFrame form={form} saveLabel={user ? t('common.save') : t('accounts.create')} onClose={props.onClose}>
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
        <QuotaFields form={form} />
      </Show>
      <Show when={hasChoice()}>
        <SelectControl
          form={form}
          name="engine"
          label={t('accounts.engine')}
          help={t('accounts.engineHelp')}
          options={engineOptions(props.engines, user?.engine ?? '')}
        />
      </Show>
      {/* An administrator needs none, and may have one of before, which another engine can refuse. */}
      <Show when={!isAdmin() || user?.home}>
        <PathControl
          form={form}
          name="home"
          label={t('accounts.home')}
          help={homeHelp()}
          isElsewhere={hasChoice() && engineOf(String(form.typed('engine'))) !== engineOf(me().engine)}
        />
      </Show>
      <Show when={!isOwn}>
        <CheckControl form={form} name="disabled" label={t('accounts.disabled')} help={t('accounts.disabledHelp')} />
      </Show>
    </FormFrame>
  );
}
