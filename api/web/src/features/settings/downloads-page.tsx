// Where torrents go, and the folder from which torrent files are taken.
import type { WatchFolderDto } from '../../../../../shared-protocol/dto/settings.js';
import { t } from '../../strings/index.js';
import { flag, text } from './codecs.js';
import { CheckControl, TextControl } from './controls.jsx';
import { FormFrame } from './form.jsx';
import { Section } from './section.jsx';
import { createSettingForm } from './setting-form.js';

export default function DownloadsPage() {
  const save = createSettingForm<{ path: string }>('/api/settings/save_path', { path: text });
  const watch = createSettingForm<WatchFolderDto>('/api/settings/watch_folder', {
    enabled: flag,
    path: text,
    delete_after_add: flag,
  });
  return (
    <>
      <Section title={t('settings.downloads.save')}>
        <FormFrame {...save.frame}>
          <TextControl
            form={save.form}
            name="path"
            label={t('settings.downloads.path')}
            help={t('settings.downloads.pathHelp')}
          />
        </FormFrame>
      </Section>
      <Section title={t('settings.downloads.watch')} about={t('settings.downloads.watchAbout')}>
        <FormFrame {...watch.frame}>
          <CheckControl form={watch.form} name="enabled" label={t('settings.downloads.watchOn')} />
          <TextControl
            form={watch.form}
            name="path"
            label={t('settings.downloads.watchPath')}
            help={t('settings.downloads.watchPathHelp')}
          />
          <CheckControl
            form={watch.form}
            name="delete_after_add"
            label={t('settings.downloads.deleteAfter')}
            help={t('settings.downloads.deleteAfterHelp')}
          />
        </FormFrame>
      </Section>
    </>
  );
}
