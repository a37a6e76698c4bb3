// What holds for this torrent alone: how fast it may be, how many peers it may have, and when it has seeded enough.
import { Show } from 'solid-js';
import type { SeedingInForceDto } from '../../../../../shared-protocol/dto/seeding.js';
import type { KbpsPair, TorrentPeerLimitsDto } from '../../../../../shared-protocol/dto/torrents.js';
import { refusedToEdit, refusedToOwn } from '../../actions/permitted.js';
import { createFetched } from '../../state/fetched.js';
import { torrentAddress } from '../../state/row-id.js';
import { ConnectionForm } from './connection-form.jsx';
import { RateForm } from './rate-form.jsx';
import { SeedForm } from './seed-form.jsx';
import type { TabProps } from './tabs.js';
import { NotYet } from './waiting.jsx';
import styles from './forms.module.css';

export function Limits(props: TabProps) {
  const pathOf = (what: string) => torrentAddress(props.torrent().id, what);
  const rates = createFetched<KbpsPair>(pathOf('/rate_limits'));
  const peers = createFetched<TorrentPeerLimitsDto>(pathOf('/peer_limits'));
  const superSeeding = createFetched<{ readonly enabled: boolean }>(pathOf('/super_seeding'));
  const rule = createFetched<SeedingInForceDto>(pathOf('/seeding_rule'));
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
          <Show when={rates.value()} fallback={<NotYet error={rates.error()} />} keyed>
            {(now) => <RateForm path={pathOf('/rate_limits')} now={now} refused={refused()} />}
          </Show>
          <Show when={connections()}>{(now) => <ConnectionForm pathOf={pathOf} {...now()} refused={refused()} />}</Show>
        </div>
        <Show when={rule.value()} keyed>
          {(now) => (
            <SeedForm
              path={pathOf('/seeding_rule')}
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
