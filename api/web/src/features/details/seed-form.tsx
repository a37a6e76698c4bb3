// When one torrent has seeded enough: as all others, or by limits of its own.
import { createSignal, Show } from 'solid-js';
import type { SeedingDefaultsDto } from '../../../../../shared-protocol/dto/settings.js';
import type { SeedPolicyDto } from '../../../../../shared-protocol/dto/torrents.js';
import { ApiError, call } from '../../net/http.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Field } from '../../ui/field.jsx';
import { showNote } from '../../ui/toasts.jsx';
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
  const [error, setError] = createSignal<string | null>(null);
  const save = async () => {
    const [ratioLimit, timeLimit] = [readRatio(ratio()), readWhole(minutes())];
    if (!usesGlobal() && (ratioLimit.kind !== 'limit' || timeLimit.kind !== 'limit')) return;
    const body: SeedPolicyDto = {
      use_global: usesGlobal(),
      ratio_limit: limitOf(ratioLimit),
      time_min_limit: limitOf(timeLimit),
    };
    try {
      await call('PUT', props.path, usesGlobal() ? { use_global: true } : body);
      setError(null);
      showNote({ look: 'good', text: t('details.limits.saved') });
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      setError(thrown.message);
    }
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
    <form
      class={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
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
          <Field label={t('details.limits.ratio')} error={problemOf(readRatio(ratio()))}>
            {(control) => (
              <input
                {...control}
                inputmode="decimal"
                disabled={props.refused !== null}
                value={ratio()}
                onInput={(event) => setRatio(event.currentTarget.value)}
              />
            )}
          </Field>
          <Field label={t('details.limits.minutes')} error={problemOf(readWhole(minutes()))}>
            {(control) => (
              <input
                {...control}
                inputmode="numeric"
                disabled={props.refused !== null}
                value={minutes()}
                onInput={(event) => setMinutes(event.currentTarget.value)}
              />
            )}
          </Field>
        </div>
        <p class="muted">{t('details.limits.emptyHelp')}</p>
      </Show>
      <p class="muted">{t('details.limits.again')}</p>
      <div class={styles['foot']}>
        <Button type="submit" refused={props.refused}>
          {t('common.save')}
        </Button>
        <span class={styles['error']} role="alert">
          {error()}
        </span>
      </div>
    </form>
  );
}

function textOf(limit: number | null): string {
  return limit === null ? '' : String(limit);
}

function limitOf(typed: Typed): number | null {
  return typed.kind === 'limit' ? typed.limit : null;
}

function problemOf({ kind }: Typed): string | null {
  return kind === 'limit' ? null : t(`details.limits.${kind}`);
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
