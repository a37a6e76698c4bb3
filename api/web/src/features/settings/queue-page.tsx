// How many torrents run at a time.
import type { QueueLimitsDto } from '../../../../../shared-protocol/dto/settings.js';
import { t } from '../../strings/index.js';
import { number } from './codecs.js';
import { TextControl } from './controls.jsx';
import { FormFrame } from './form.jsx';
import { Section } from './section.jsx';
import { createSettingForm } from './setting-form.js';

export default function QueuePage() {
  const { form, frame } = createSettingForm<QueueLimitsDto>('/api/settings/queue_limits', {
    max_active_downloads: number(),
    max_active_seeds: number(),
  });
  return (
    <Section about={t('settings.queue.about')}>
      <FormFrame {...frame}>
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
      </FormFrame>
    </Section>
  );
}
