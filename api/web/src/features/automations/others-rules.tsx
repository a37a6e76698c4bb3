// Rules of other accounts, for administrators, who may look and not change.
import { createMemo, createSignal, For, Show } from 'solid-js';
import type { UserDto } from '../../../../../shared-protocol/dto/accounts.js';
import type { AutomationDto } from '../../../../../shared-protocol/dto/automations.js';
import { inert } from '../../format/quantities.js';
import { createFetched } from '../../state/fetched.js';
import { me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import lists from '../settings/item-list.module.css';
import { Section } from '../settings/section.jsx';
import { HistoryDialog } from './history-dialog.jsx';
import { RuleItem } from './rule-item.jsx';

export function OthersRules() {
  const all = createFetched<readonly AutomationDto[]>('/api/automations?all=1');
  const users = createFetched<readonly UserDto[]>('/api/users');
  const others = createMemo(() => all.value()?.filter(({ user_id }) => user_id !== me().id) ?? []);
  const ownerOf = ({ user_id }: AutomationDto) =>
    inert(users.value()?.find(({ id }) => id === user_id)?.username ?? String(user_id));
  const [looked, setLooked] = createSignal<AutomationDto | null>(null);
  return (
    <Show when={others().length > 0}>
      <Section isWide title={t('automations.others')} about={t('automations.othersAbout')}>
        <ul class={lists['list']} aria-label={t('automations.others')}>
          <For each={others()}>
            {(rule) => <RuleItem rule={rule} owner={ownerOf(rule)} onHistory={() => setLooked(rule)} />}
          </For>
        </ul>
        <HistoryDialog rule={looked()} onClose={() => setLooked(null)} />
      </Section>
    </Show>
  );
}
