// What holds for this torrent alone: how fast it may be, how many peers it may have, and when it has seeded enough.
import { Show } from 'solid-js';
import type { SeedingInForceDto } from '../../../../../shared-protocol/dto/seeding.js';
import type { KbpsPair, TorrentPeerLimitsDto } from '../../../../../shared-protocol/dto/torrents.js';
import { refusedToEdit, refusedToOwn } from '../../actions/permitted.js';
import { createRemote } from '../../state/resource.js';
import { ConnectionForm } from './connection-form.jsx';
import { RateForm } from './rate-form.jsx';
import { SeedForm } from './seed-form.jsx';
import type { TabProps } from './tabs.js';
import { Waiting } from './waiting.jsx';
import styles from './forms.module.css';

export function Limits(props: TabProps) {
  const path = `/api/torrents/${props.torrent().id}`;
  const rates = createRemote<KbpsPair>(`${path}/rate_limits`);
  const peers = createRemote<TorrentPeerLimitsDto>(`${path}/peer_limits`);
  const superSeeding = createRemote<{ readonly enabled: boolean }>(`${path}/super_seeding`);
  const rule = createRemote<SeedingInForceDto>(`${path}/seeding_rule`);
  const refused = () => refusedToEdit([props.torrent()]);
  const connections = () => {
    const [limits, wish] = [peers.value(), superSeeding.value()];
    return limits && wish ? { limits, isSuperSeeding: wish.enabled } : null;
  };
  return (
    <div class={styles['forms']}>
      <Show when={refused()}>
        <p class="muted">{refused()}</p>
      </Show>
      <div class={styles['pair']}>
        <div class={styles['column']}>
          <Show when={rates.value()} fallback={<Waiting />} keyed>
            {(now) => <RateForm path={`${path}/rate_limits`} now={now} refused={refused()} />}
          </Show>
          <Show when={connections()}>{(now) => <ConnectionForm path={path} {...now()} refused={refused()} />}</Show>
        </div>
        <Show when={rule.value()} keyed>
          {(now) => (
            <SeedForm
              path={`${path}/seeding_rule`}
              now={now}
              refused={refused()}
              isOwner={refusedToOwn([props.torrent()]) === null}
              onSaved={() => void rule.reload()}
            />
          )}
        </Show>
      </div>
    </div>
  );
}
