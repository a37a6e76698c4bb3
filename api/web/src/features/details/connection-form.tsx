// How many peers one torrent may have, and whether it super-seeds.
import { createSignal } from 'solid-js';
import type { TorrentPeerLimitsDto } from '../../../../../shared-protocol/dto/torrents.js';
import { call } from '../../net/http.js';
import { t } from '../../strings/index.js';
import { LimitField, LimitForm } from './limit-form.jsx';
import { readWhole } from './limit-numbers.js';
import styles from './forms.module.css';

export interface ConnectionFormProps {
  /** The address of something of the torrent, as `/peer_limits`. */
  readonly pathOf: (what: string) => string;
  readonly limits: TorrentPeerLimitsDto;
  readonly isSuperSeeding: boolean;
  readonly refused: string | null;
}

export function ConnectionForm(props: ConnectionFormProps) {
  const [peers, setPeers] = createSignal(String(props.limits.max_peers));
  const [slots, setSlots] = createSignal(String(props.limits.upload_slots));
  const [isSuperSeeding, setIsSuperSeeding] = createSignal(props.isSuperSeeding);
  const save = () => {
    const [most, uploads] = [readWhole(peers()), readWhole(slots())];
    if (most.kind !== 'limit' || uploads.kind !== 'limit') return null;
    return Promise.all([
      call('PUT', props.pathOf('/peer_limits'), { max_peers: most.limit ?? 0, upload_slots: uploads.limit ?? 0 }),
      call('PUT', props.pathOf('/super_seeding'), { enabled: isSuperSeeding() }),
    ]);
  };
  return (
    <LimitForm refused={props.refused} save={save}>
      <h3>{t('verbs.limits.peers')}</h3>
      <div class={styles['row']}>
        <LimitField
          label={t('verbs.limits.maxPeers')}
          inputmode="numeric"
          text={peers()}
          typed={readWhole(peers())}
          isDisabled={props.refused !== null}
          onText={setPeers}
        />
        <LimitField
          label={t('verbs.limits.slots')}
          inputmode="numeric"
          text={slots()}
          typed={readWhole(slots())}
          isDisabled={props.refused !== null}
          onText={setSlots}
        />
      </div>
      <label class={styles['check']}>
        <input
          type="checkbox"
          checked={isSuperSeeding()}
          disabled={props.refused !== null}
          onChange={(event) => setIsSuperSeeding(event.currentTarget.checked)}
        />
        {t('verbs.limits.superSeeding')}
      </label>
      <p class="muted">{t('verbs.limits.superHelp')}</p>
    </LimitForm>
  );
}
