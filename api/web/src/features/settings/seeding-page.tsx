// When seeding ends, for torrents that have no rule of their own, and what becomes of them then.
import { Show } from 'solid-js';
import type { SeedingRuleForAllDto, SeedingRulesDto } from '../../../../../shared-protocol/dto/seeding.js';
import { duration, inert } from '../../format/quantities.js';
import { call } from '../../net/http.js';
import { tags } from '../../state/labels.js';
import { createFetched } from '../../state/fetched.js';
import { me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { choice, number, orNothing, type Codec } from './codecs.js';
import { SelectControl, TextControl } from './controls.jsx';
import { createForm } from './create-form.js';
import { FormFrame } from './form.jsx';
import { Section } from './section.jsx';
import { frameOf } from './setting-form.js';

const PATH = '/api/settings/seeding_rules';
const MINUTE_S = 60;
const ACTIONS = ['pause', 'super_seed', 'tag', 'remove', 'remove_with_data'] as const;

type Values = Omit<SeedingRuleForAllDto, 'tag_id'> & { readonly tag_id: number | null };

const tagId: Codec<number | null> = {
  show: (value) => (value === null ? '' : String(value)),
  read: (typed) => ({ value: Number(typed) || null }),
};

export default function SeedingPage() {
  const remote = createFetched<SeedingRulesDto>(PATH);
  const form = createForm<Values>({
    codecs: {
      ratio_limit: orNothing(number({ isWhole: false })),
      time_min_limit: orNothing(number()),
      inactive_min_limit: orNothing(number()),
      action: choice(ACTIONS),
      tag_id: tagId,
    },
    source: () => {
      const rules = remote.value();
      return rules && { ...rules.defaults, tag_id: rules.defaults.tag_id ?? null };
    },
    check: ({ action, tag_id }) =>
      action === 'tag' && tag_id === null ? { tag_id: t('options.seeding.chooseTag') } : {},
    async save({ tag_id, ...rule }) {
      await call('PUT', `${PATH}/defaults`, { ...rule, ...(rule.action === 'tag' && { tag_id }) });
      await remote.reload();
    },
  });
  const isAdmin = () => me().role === 'admin';
  const tagOptions = () => [
    { value: '', label: t('options.seeding.chooseTag') },
    ...(tags.value() ?? []).map(({ id, name }) => ({ value: String(id), label: inert(name) })),
  ];
  return (
    <Section about={t('settings.seeding.about')}>
      <FormFrame {...frameOf(form, remote)}>
        <TextControl
          form={form}
          name="ratio_limit"
          kind="number"
          label={t('settings.seeding.ratio')}
          placeholder={t('settings.seeding.none')}
          help={meaningOf(form.values()?.ratio_limit, (ratio) => t('settings.seeding.ratioHelp', { ratio }))}
        />
        <TextControl
          form={form}
          name="time_min_limit"
          kind="number"
          unit={t('settings.unit.minutes')}
          label={t('settings.seeding.time')}
          placeholder={t('settings.seeding.none')}
          help={meaningOf(form.values()?.time_min_limit, (minutes) =>
            t('settings.seeding.timeHelp', { time: duration(minutes * MINUTE_S) }),
          )}
        />
        <TextControl
          form={form}
          name="inactive_min_limit"
          kind="number"
          unit={t('settings.unit.minutes')}
          label={t('options.seeding.inactive')}
          placeholder={t('settings.seeding.none')}
          help={meaningOf(form.values()?.inactive_min_limit, (minutes) =>
            t('options.seeding.inactiveHelp', { time: duration(minutes * MINUTE_S) }),
          )}
        />
        <SelectControl
          form={form}
          name="action"
          label={t('options.seeding.action')}
          help={isAdmin() ? '' : t('options.seeding.adminOnly')}
          options={ACTIONS.map((value) => ({
            value,
            label: t(`options.seeding.actions.${value}`),
            isRefused: value.startsWith('remove') && !isAdmin(),
          }))}
        />
        <Show when={form.typed('action') === 'tag'}>
          <SelectControl form={form} name="tag_id" label={t('options.seeding.tag')} options={tagOptions()} />
        </Show>
      </FormFrame>
    </Section>
  );
}

function meaningOf(limit: number | null | undefined, describe: (limit: number) => string): string {
  if (limit === null || limit === undefined) return t('settings.seeding.noLimit');
  return limit === 0 ? t('settings.seeding.atOnce') : describe(limit);
}
