// How fast torrents may be, and how many they may be connected to. Of one the limits are shown as they are; of several
// what is left empty stays as it is in each.
import { createSignal, onMount, Show } from 'solid-js';
import type { KbpsPair, TorrentPeerLimitsDto } from '../../../../../shared-protocol/dto/torrents.js';
import type { PageAction } from '../../actions/batch.js';
import { attempt } from '../../actions/perform.js';
import { call } from '../../net/http.js';
import { torrentAddress } from '../../state/row-id.js';
import { t } from '../../strings/index.js';
import { Field } from '../../ui/field.jsx';
import { readWhole } from '../details/limit-numbers.js';
import { doAndTell } from './tell-done.js';
import type { VerbProps } from './verb-dialog.jsx';
import { VerbForm } from './verb-form.jsx';
import styles from './verbs.module.css';

const FIELDS = ['down', 'up', 'maxPeers', 'slots'] as const;
type Name = (typeof FIELDS)[number];
const NOTHING: Readonly<Record<Name, string>> = { down: '', up: '', maxPeers: '', slots: '' };

export function TorrentLimits(props: VerbProps) {
  const torrents = props.verb.torrents;
  const only = torrents.length === 1 ? torrents[0] : undefined;
  const [texts, setTexts] = createSignal(NOTHING);
  const [isLoading, setIsLoading] = createSignal(Boolean(only));
  onMount(async () => {
    if (!only) return;
    const asked = Promise.all([
      call<KbpsPair>('GET', torrentAddress(only.id, '/rate_limits')),
      call<TorrentPeerLimitsDto>('GET', torrentAddress(only.id, '/peer_limits')),
    ]);
    const limits = await attempt(() => asked);
    if (!limits) return props.onClose();
    const [{ down_kbps, up_kbps }, { max_peers, upload_slots }] = limits;
    const [down, up, maxPeers, slots] = [down_kbps, up_kbps, max_peers, upload_slots].map(String);
    setTexts({ down: down!, up: up!, maxPeers: maxPeers!, slots: slots! });
    setIsLoading(false);
  });
  const numberOf = (name: Name) => {
    const typed = readWhole(texts()[name]);
    return typed.kind === 'limit' ? typed.limit : null;
  };
  const problemOf = (name: Name) => (readWhole(texts()[name]).kind === 'limit' ? null : t('verbs.limits.whole'));
  const actions = (): readonly PageAction[] => {
    const [down, up] = [numberOf('down'), numberOf('up')];
    const [maxPeers, slots] = [numberOf('maxPeers'), numberOf('slots')];
    return [
      ...(down === null || up === null ? [] : [{ action: 'rate_limits', down_kbps: down, up_kbps: up } as const]),
      ...(maxPeers === null || slots === null
        ? []
        : [{ action: 'peer_limits', max_peers: maxPeers, upload_slots: slots } as const]),
    ];
  };
  /** The server is told of both of a pair at once. */
  const isHalf = (a: Name, b: Name) => (numberOf(a) === null) !== (numberOf(b) === null);
  const problem = () => {
    const wrong = FIELDS.map(problemOf).find((each) => each !== null);
    return wrong ?? (isHalf('down', 'up') || isHalf('maxPeers', 'slots') ? t('verbs.limits.pair') : null);
  };
  const field = (name: Name) => (
    <Field label={t(`verbs.limits.${name}`)} error={problemOf(name)}>
      {(control) => (
        <input
          {...control}
          inputmode="numeric"
          disabled={isLoading()}
          placeholder={only ? '' : t('verbs.limits.unchanged')}
          value={texts()[name]}
          onInput={(event) => setTexts({ ...texts(), [name]: event.currentTarget.value })}
        />
      )}
    </Field>
  );
  return (
    <VerbForm
      title={t('verbs.limits.title', { count: torrents.length })}
      submit={t('verbs.limits.save')}
      torrents={torrents}
      problem={problem()}
      isLoading={isLoading()}
      isDisabled={actions().length === 0 && problem() === null}
      onClose={props.onClose}
      onSubmit={() => doAndTell(torrents, ...actions())}
    >
      <fieldset class={styles['group']}>
        <legend>{t('verbs.limits.rates')}</legend>
        <div class={styles['pair']}>
          {field('down')}
          {field('up')}
        </div>
      </fieldset>
      <fieldset class={styles['group']}>
        <legend>{t('verbs.limits.peers')}</legend>
        <div class={styles['pair']}>
          {field('maxPeers')}
          {field('slots')}
        </div>
      </fieldset>
      <p class="muted">
        {t('verbs.limits.help')} <Show when={!only}>{t('verbs.limits.leave')}</Show>
      </p>
    </VerbForm>
  );
}
