// An account in the list of all: who it is, what it may do and have, and the menu of what can be done with it.
import { Show } from 'solid-js';
import type { UserDto } from '../../../../../shared-protocol/dto/accounts.js';
import type { EngineDto } from '../../../../../shared-protocol/dto/engines.js';
import { date, inert } from '../../format/quantities.js';
import { me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Icon } from '../../ui/icons.jsx';
import { MenuButton, type MenuEntry } from '../../ui/menu.jsx';
import { AccountQuotaCell, type AccountQuotaCellProps } from '../quotas/account-quota.jsx';
import { engineText } from './engine-choice.js';
import { PERMISSIONS } from './permissions.js';
import buttons from '../../ui/button.module.css';
import styles from './accounts.module.css';

const FIRST_ACCOUNT = 1;

export type UserAction = 'edit' | 'password' | 'key' | 'delete';

export interface AccountRowProps {
  readonly user: UserDto;
  readonly engines: readonly EngineDto[];
  /** null: it has no quota, or what it takes is not known yet. */
  readonly taken: AccountQuotaCellProps['taken'] | null;
  readonly onOpen: (kind: UserAction) => void;
  readonly onDisable: (disabled: boolean) => void;
}

export function AccountRow(props: AccountRowProps) {
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
        <Show when={props.taken}>
          {(taken) => (
            <span class={styles['quota']}>
              <span>{t('quotas.title')}:</span>
              <AccountQuotaCell user={props.user} taken={taken()} />
            </span>
          )}
        </Show>
        <Show when={props.engines.length > 0}>
          <span class="muted">{t('accounts.onEngine', { name: engineText(props.engines, props.user.engine) })}</span>
        </Show>
      </div>
      <MenuButton
        class={`${buttons['button']} ${styles['more']}`}
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
