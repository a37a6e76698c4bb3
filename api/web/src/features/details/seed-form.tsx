// When one torrent has seeded enough: as all others, or by limits of its own.
import { createSignal, Show } from 'solid-js';
import type { SeedingDefaultsDto } from '../../../../../shared-protocol/dto/settings.js';
import type { SeedPolicyDto } from '../../../../../shared-protocol/dto/torrents.js';
import { call } from '../../net/http.js';
import { t } from '../../strings/index.js';
import { LimitField, LimitForm } from './limit-form.jsx';
import { readRatio, readWhole, type Typed } from './limit-numbers.js';
import styles from './forms.module.css';

export interface SeedFormProps {
  readonly path: string;
  readonly now: SeedPolicyDto;
  /** null until they have come. */
  readonly defaults: SeedingDefaultsDto | null;
  readonly refused: string | null;
}

export function SeedForm(props: SeedFormProps) {
  const [usesGlobal, setUsesGlobal] = createSignal(props.now.use_global);
  const [ratio, setRatio] = createSignal(textOf(props.now.ratio_limit));
  const [minutes, setMinutes] = createSignal(textOf(props.now.time_min_limit));
  const save = () => {
    const [ratioLimit, timeLimit] = [readRatio(ratio()), readWhole(minutes())];
    if (!usesGlobal() && (ratioLimit.kind !== 'limit' || timeLimit.kind !== 'limit')) return null;
    const body: SeedPolicyDto = {
      use_global: usesGlobal(),
      ratio_limit: limitOf(ratioLimit),
      time_min_limit: limitOf(timeLimit),
    };
    return call('PUT', props.path, usesGlobal() ? { use_global: true } : body);
  };
  const choice = (label: string, isGlobal: boolean) => (
    <label class={styles['check']}>
      <input
        type="radio"
        name="seed-policy"
        checked={usesGlobal() === isGlobal}
        disabled={props.refused !== null}
        onChange={() => setUsesGlobal(isGlobal)}
      />
      {label}
    </label>
  );
  return (
    <LimitForm refused={props.refused} save={save}>
      <h3 id="seed-policy">{t('details.limits.seeding')}</h3>
      <div role="radiogroup" aria-labelledby="seed-policy" class={styles['choices']}>
        {choice(t('details.limits.global'), true)}
        <Show when={props.defaults}>
          {(known) => (
            <p class={`muted ${styles['indented']}`}>{t('details.limits.globalNow', { what: describe(known()) })}</p>
          )}
        </Show>
        {choice(t('details.limits.own'), false)}
      </div>
      <Show when={!usesGlobal()}>
        <div class={styles['row']}>
          <LimitField
            label={t('details.limits.ratio')}
            inputmode="decimal"
            text={ratio()}
            typed={readRatio(ratio())}
            isDisabled={props.refused !== null}
            onText={setRatio}
          />
          <LimitField
            label={t('details.limits.minutes')}
            inputmode="numeric"
            text={minutes()}
            typed={readWhole(minutes())}
            isDisabled={props.refused !== null}
            onText={setMinutes}
          />
        </div>
        <p class="muted">{t('details.limits.emptyHelp')}</p>
      </Show>
      <p class="muted">{t('details.limits.again')}</p>
    </LimitForm>
  );
}

function textOf(limit: number | null): string {
  return limit === null ? '' : String(limit);
}

function limitOf(typed: Typed): number | null {
  return typed.kind === 'limit' ? typed.limit : null;
}

function describe({ ratio_limit, time_min_limit }: SeedingDefaultsDto): string {
  const parts = [
    ...(ratio_limit === null ? [] : [t('details.limits.atRatio', { ratio: ratio_limit })]),
    ...(time_min_limit === null ? [] : [t('details.limits.afterMinutes', { count: time_min_limit })]),
  ];
  const [a, b] = parts;
  if (a === undefined) return t('details.limits.unlimited');
  return b === undefined ? a : t('details.limits.or', { a, b });
}
