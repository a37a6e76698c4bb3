// What holds for this torrent alone: how fast it may be, and when it has seeded enough.
import { Show } from 'solid-js';
import type { SeedingDefaultsDto } from '../../../../../shared-protocol/dto/settings.js';
import type { KbpsPair, SeedPolicyDto } from '../../../../../shared-protocol/dto/torrents.js';
import { refusedToEdit } from '../../actions/permitted.js';
import { createRemote } from '../../state/resource.js';
import { RateForm } from './rate-form.jsx';
import { SeedForm } from './seed-form.jsx';
import type { TabProps } from './tabs.js';
import { Waiting } from './waiting.jsx';
import styles from './forms.module.css';

export function Limits(props: TabProps) {
  const path = `/api/torrents/${props.torrent().id}`;
  const rates = createRemote<KbpsPair>(`${path}/rate_limits`);
  const policy = createRemote<SeedPolicyDto>(`${path}/seed_policy`);
  const defaults = createRemote<SeedingDefaultsDto>('/api/settings/seeding_defaults');
  const refused = () => refusedToEdit([props.torrent()]);
  return (
    <div class={styles['forms']}>
      <Show when={refused()}>
        <p class="muted">{refused()}</p>
      </Show>
      <div class={styles['pair']}>
        <Show when={rates.value()} fallback={<Waiting />} keyed>
          {(now) => <RateForm path={`${path}/rate_limits`} now={now} refused={refused()} />}
        </Show>
        <Show when={policy.value()} keyed>
          {(now) => <SeedForm path={`${path}/seed_policy`} now={now} defaults={defaults.value()} refused={refused()} />}
        </Show>
      </div>
    </div>
  );
}
