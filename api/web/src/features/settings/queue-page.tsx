// How many torrents run at a time, and which are not counted.
import type { QueueLimitsDto } from '../../../../../shared-protocol/dto/settings.js';
import { MAX_STALLED_MINUTES } from '../../../../../shared-protocol/queue-bounds.js';
import { t } from '../../strings/index.js';
import { number, orUnlimited, type Codec } from './codecs.js';
import { TextControl } from './controls.jsx';
import { SettingSection } from './setting-section.jsx';

const { show, read } = orUnlimited(number({ max: MAX_STALLED_MINUTES }));

/** The server leaves it out where it is 0. */
const stalledMinutes: Codec<number> = { show: (minutes: number | undefined) => show(minutes ?? 0), read };

export default function QueuePage() {
  return (
    <SettingSection<Required<QueueLimitsDto>>
      about={t('settings.queue.about')}
      path="/api/settings/queue_limits"
      codecs={{ max_active_downloads: number(), max_active_seeds: number(), stalled_minutes: stalledMinutes }}
    >
      {(form) => (
        <>
          <TextControl
            form={form}
            name="max_active_downloads"
            kind="number"
            label={t('settings.queue.downloads')}
            help={t('settings.queue.unlimited')}
          />
          <TextControl
            form={form}
            name="max_active_seeds"
            kind="number"
            label={t('settings.queue.seeds')}
            help={t('settings.queue.unlimited')}
          />
          <TextControl
            form={form}
            name="stalled_minutes"
            kind="number"
            label={t('settings.queue.stalled')}
            help={t('settings.queue.stalledHelp')}
          />
        </>
      )}
    </SettingSection>
  );
}
