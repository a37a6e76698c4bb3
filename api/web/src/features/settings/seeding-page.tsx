// When seeding ends, for torrents that have no rule of their own.
import type { SeedingDefaultsDto } from '../../../../../shared-protocol/dto/settings.js';
import { duration } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { number, orNothing } from './codecs.js';
import { TextControl } from './controls.jsx';
import { SettingSection } from './setting-section.jsx';

const MINUTE_S = 60;

export default function SeedingPage() {
  return (
    <SettingSection<SeedingDefaultsDto>
      about={t('settings.seeding.about')}
      path="/api/settings/seeding_defaults"
      codecs={{ ratio_limit: orNothing(number({ isWhole: false })), time_min_limit: orNothing(number()) }}
    >
      {(form) => (
        <>
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
        </>
      )}
    </SettingSection>
  );
}

function meaningOf(limit: number | null | undefined, describe: (limit: number) => string): string {
  if (limit === null || limit === undefined) return t('settings.seeding.noLimit');
  return limit === 0 ? t('settings.seeding.atOnce') : describe(limit);
}
