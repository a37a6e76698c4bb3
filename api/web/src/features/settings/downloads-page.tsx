// Where torrents go, how they begin, and the folder from which torrent files are taken.
import type { WatchFolderDto } from '../../../../../shared-protocol/dto/settings.js';
import { t } from '../../strings/index.js';
import { AddingSection } from './adding-section.jsx';
import { flag, text } from './codecs.js';
import { CheckControl } from './controls.jsx';
import { HandlerSection } from './handler-section.jsx';
import { PathControl } from './path-control.jsx';
import { SettingSection } from './setting-section.jsx';

export default function DownloadsPage() {
  return (
    <>
      <SettingSection<{ path: string }>
        title={t('settings.downloads.save')}
        path="/api/settings/save_path"
        codecs={{ path: text }}
      >
        {(form) => (
          <PathControl
            form={form}
            name="path"
            label={t('settings.downloads.path')}
            help={t('settings.downloads.pathHelp')}
          />
        )}
      </SettingSection>
      <SettingSection<WatchFolderDto>
        title={t('settings.downloads.watch')}
        about={t('settings.downloads.watchAbout')}
        path="/api/settings/watch_folder"
        codecs={{ enabled: flag, path: text, delete_after_add: flag }}
      >
        {(form) => (
          <>
            <CheckControl form={form} name="enabled" label={t('settings.downloads.watchOn')} />
            <PathControl
              form={form}
              name="path"
              label={t('settings.downloads.watchPath')}
              help={t('settings.downloads.watchPathHelp')}
            />
            <CheckControl
              form={form}
              name="delete_after_add"
              label={t('settings.downloads.deleteAfter')}
              help={t('settings.downloads.deleteAfterHelp')}
            />
          </>
        )}
      </SettingSection>
      <AddingSection />
      <HandlerSection />
    </>
  );
}
