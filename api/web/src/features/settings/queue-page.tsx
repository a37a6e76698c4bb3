// How many torrents run at a time.
import type { QueueLimitsDto } from '../../../../../shared-protocol/dto/settings.js';
import { t } from '../../strings/index.js';
import { number } from './codecs.js';
import { TextControl } from './controls.jsx';
import { SettingSection } from './setting-section.jsx';

export default function QueuePage() {
  return (
    <SettingSection<QueueLimitsDto>
      about={t('settings.queue.about')}
      path="/api/settings/queue_limits"
      codecs={{ max_active_downloads: number(), max_active_seeds: number() }}
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
        </>
      )}
    </SettingSection>
  );
}
