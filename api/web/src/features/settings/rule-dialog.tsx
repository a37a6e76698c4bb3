// One rule: its days, its times, and what holds then.
import { createUniqueId, For, Show } from 'solid-js';
import type { RuleDto } from '../../../../../shared-protocol/dto/schedule.js';
import { attempt } from '../../actions/perform.js';
import { call } from '../../net/http.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Dialog } from '../../ui/dialog.jsx';
import { choice, flag, timeOfDay, type Codec } from './codecs.js';
import { CheckControl, ChoiceControl, TextControl } from './controls.jsx';
import { createForm, type Form } from './create-form.js';
import { FormFrame } from './form.jsx';
import { kbps, RateControl } from './rate-control.jsx';
import { DAY_ORDER } from './week-model.js';
import { longDay, shortDay } from './week-texts.js';
import styles from './schedule.module.css';

export type RuleDraft = Omit<RuleDto, 'id'> & { readonly id: number | null };

const PATH = '/api/schedule_rules';

interface Values {
  readonly days_mask: number;
  readonly start_min: number;
  readonly end_min: number;
  readonly kind: 'alt' | 'own';
  readonly down_kbps: number;
  readonly up_kbps: number;
  readonly enabled: boolean;
}

const daysMask: Codec<number> = {
  show: String,
  read: (typed) => (typed === '0' ? { problem: t('settings.schedule.dayNeeded') } : { value: Number(typed) }),
};

export interface RuleDialogProps {
  readonly rule: RuleDraft | null;
  readonly onClose: () => void;
  readonly onChanged: () => Promise<void>;
}

export function RuleDialog(props: RuleDialogProps) {
  const title = () =>
    props.rule?.id ? t('settings.schedule.editRule', { id: String(props.rule.id) }) : t('settings.schedule.newRule');
  return (
    <Dialog title={title()} isOpen={props.rule !== null} onClose={props.onClose}>
      <Show when={props.rule} keyed>
        {(rule) => <RuleForm rule={rule} onClose={props.onClose} onChanged={props.onChanged} />}
      </Show>
    </Dialog>
  );
}

function RuleForm(props: RuleDialogProps & { readonly rule: RuleDraft }) {
  const form = createForm<Values>({
    codecs: {
      days_mask: daysMask,
      start_min: timeOfDay,
      end_min: timeOfDay,
      kind: choice(['alt', 'own'] as const),
      down_kbps: kbps,
      up_kbps: kbps,
      enabled: flag,
    },
    source: () => ({ ...props.rule, kind: props.rule.alt_only ? 'alt' : 'own' }),
    async save({ kind, ...values }) {
      const body = { ...values, alt_only: kind === 'alt' };
      if (props.rule.id === null) await call('POST', PATH, body);
      else await call('PUT', PATH, { ...body, id: props.rule.id });
      await props.onChanged();
    },
  });
  const endHelp = () => {
    const now = form.values();
    if (!now || now.end_min > now.start_min) return '';
    return now.end_min === now.start_min ? t('settings.schedule.wholeDay') : t('settings.schedule.nextDay');
  };
  const remove = () =>
    attempt(async () => {
      await call('DELETE', `${PATH}/${props.rule.id}`);
      props.onClose();
      await props.onChanged();
    });
  return (
    <FormFrame form={form} onClose={props.onClose}>
      <Days form={form} />
      <div class={styles['times']}>
        <TextControl form={form} name="start_min" kind="time" label={t('settings.schedule.from')} />
        <TextControl form={form} name="end_min" kind="time" label={t('settings.schedule.to')} help={endHelp()} />
      </div>
      <ChoiceControl
        form={form}
        name="kind"
        label={t('settings.schedule.what')}
        options={[
          { value: 'alt', label: t('settings.schedule.altLimits') },
          { value: 'own', label: t('settings.schedule.theseLimits') },
        ]}
      />
      <Show when={form.typed('kind') === 'own'}>
        <div class={styles['times']}>
          <RateControl form={form} name="down_kbps" label={t('settings.speed.down')} />
          <RateControl form={form} name="up_kbps" label={t('settings.speed.up')} />
        </div>
      </Show>
      <CheckControl form={form} name="enabled" label={t('settings.schedule.enabled')} />
      <Show when={props.rule.id !== null}>
        <Button look="quiet" class={styles['delete']} onClick={() => void remove()}>
          {t('settings.schedule.deleteRule')}
        </Button>
      </Show>
    </FormFrame>
  );
}

function Days(props: { readonly form: Form<Values> }) {
  const id = createUniqueId();
  const mask = () => Number(props.form.typed('days_mask'));
  const toggle = (day: number) => props.form.type('days_mask', String(mask() ^ (1 << day)));
  return (
    <fieldset class={styles['days']} aria-describedby={id}>
      <legend>{t('settings.schedule.days')}</legend>
      <For each={DAY_ORDER}>
        {(day) => (
          <label class={styles['day']}>
            <input
              type="checkbox"
              aria-label={longDay(day)}
              checked={(mask() & (1 << day)) !== 0}
              onChange={() => toggle(day)}
            />
            {shortDay(day)}
          </label>
        )}
      </For>
      <div id={id} class={styles['daysProblem']}>
        {props.form.problemOf('days_mask') ?? t('settings.schedule.daysHelp')}
      </div>
    </fieldset>
  );
}
