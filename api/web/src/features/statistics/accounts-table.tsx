// Who holds and moves how much, and how much each may; for administrators.
import { createMemo, For, Index } from 'solid-js';
import type { UserDto } from '../../../../../shared-protocol/dto/accounts.js';
import type { TrafficDto } from '../../../../../shared-protocol/dto/history.js';
import type { StorageDto } from '../../../../../shared-protocol/dto/storage.js';
import { bytes, count } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { AccountQuotaCell } from '../quotas/account-quota.jsx';
import styles from './statistics.module.css';

export interface AccountsTableProps {
  readonly users: readonly UserDto[];
  readonly storage: StorageDto;
  readonly traffic: TrafficDto | null;
}

export function AccountsTable(props: AccountsTableProps) {
  const rows = createMemo(() => {
    const taken = new Map(props.storage.accounts.map((each) => [each.id, each]));
    const moved = new Map(props.traffic?.series.map((each) => [each.id, each]));
    return props.users.map((user) => ({
      user,
      taken: taken.get(user.id) ?? { torrents: 0, bytes: 0, size: 0 },
      moved: moved.get(String(user.id)) ?? { down: 0, up: 0 },
    }));
  });
  return (
    <section class={`${styles['card']} ${styles['wide']}`} aria-label={t('statistics.accounts')}>
      <h2>{t('statistics.accounts')}</h2>
      <div class={styles['scroll']} tabindex="0" role="group" aria-label={t('statistics.accounts')}>
        <table class={styles['table']}>
          <thead>
            <tr>
              <th scope="col">{t('statistics.column.account')}</th>
              <For each={['torrents', 'size', 'down', 'up'] as const}>
                {(column) => (
                  <th scope="col" data-numeric="true">
                    {t(`statistics.column.${column}`)}
                  </th>
                )}
              </For>
              <th scope="col">{t('statistics.column.quota')}</th>
            </tr>
          </thead>
          <tbody>
            <Index each={rows()}>
              {(row) => (
                <tr>
                  <th scope="row">{row().user.username}</th>
                  <td data-numeric="true">{count(row().taken.torrents)}</td>
                  <td data-numeric="true">{bytes(row().taken.bytes)}</td>
                  <td data-numeric="true">{bytes(row().moved.down)}</td>
                  <td data-numeric="true">{bytes(row().moved.up)}</td>
                  <td>
                    <AccountQuotaCell user={row().user} taken={row().taken} />
                  </td>
                </tr>
              )}
            </Index>
          </tbody>
        </table>
      </div>
      <p class={styles['muted']}>{t('statistics.accountsAbout')}</p>
    </section>
  );
}
