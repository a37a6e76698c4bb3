// When seeding ends, for torrents that have no rule of their own.
import type { SeedingDefaultsDto } from '../../../../../shared-protocol/dto/settings.js';
import { duration } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { number, orNothing } from './codecs.js';
import { TextControl } from './controls.jsx';
import { FormFrame } from './form.jsx';
import { Section } from './section.jsx';
import { createSettingForm } from './setting-form.js';

const MINUTE_S = 60;

export default function SeedingPage() {
  const { form, frame } = createSettingForm<SeedingDefaultsDto>('/api/settings/seeding_defaults', {
    ratio_limit: orNothing(number({ isWhole: false })),
    time_min_limit: orNothing(number()),
  });
  const ratioHelp = () => {
    const limit = form.values()?.ratio_limit ?? null;
    if (limit === null) return t('settings.seeding.noLimit');
    return limit === 0 ? t('settings.seeding.atOnce') : t('settings.seeding.ratioHelp', { ratio: limit });
  };
  const timeHelp = () => {
    const limit = form.values()?.time_min_limit ?? null;
    if (limit === null) return t('settings.seeding.noLimit');
    return limit === 0
      ? t('settings.seeding.atOnce')
      : t('settings.seeding.timeHelp', { time: duration(limit * MINUTE_S) });
  };
  return (
    <Section about={t('settings.seeding.about')}>
      <FormFrame {...frame}>
        <TextControl
          form={form}
          name="ratio_limit"
          kind="number"
          label={t('settings.seeding.ratio')}
          placeholder={t('settings.seeding.none')}
          help={ratioHelp()}
        />
        <TextControl
          form={form}
          name="time_min_limit"
          kind="number"
          unit={t('settings.unit.minutes')}
          label={t('settings.seeding.time')}
          placeholder={t('settings.seeding.none')}
          help={timeHelp()}
        />
      </FormFrame>
    </Section>
  );
}
