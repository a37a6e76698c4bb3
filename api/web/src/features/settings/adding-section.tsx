// How torrents begin that do not say: paused or not, where they lie until they are complete, and how on disk.
import type { AddingDefaultsDto } from '../../../../../shared-protocol/dto/settings.js';
import { t } from '../../strings/index.js';
import { choice, flag, lines, text, type Codec } from './codecs.js';
import { CheckControl, LinesControl, SelectControl, TextControl } from './controls.jsx';
import { PathControl } from './path-control.jsx';
import { SettingSection } from './setting-section.jsx';

const LAYOUTS = ['original', 'subfolder', 'no_subfolder'] as const;
const PREALLOCATIONS = ['none', 'sparse', 'full'] as const;

/** An empty text is none, as the server takes it. */
const suffix: Codec<string | null> = {
  show: (value) => value ?? '',
  read: (typed) => ({ value: String(typed).trim() }),
};

const excludedNames: Codec<string[]> = {
  ...lines,
  read(typed) {
    const reading = lines.read(typed);
    const isPath = 'value' in reading && reading.value.some((pattern) => pattern.includes('/'));
    return isPath ? { problem: t('options.adding.excludedPath') } : reading;
  },
};

export function AddingSection() {
  return (
    <SettingSection<Omit<AddingDefaultsDto, 'pinned'>>
      title={t('options.adding.title')}
      about={t('options.adding.about')}
      path="/api/settings/adding"
      codecs={{
        paused: flag,
        incomplete_path: text,
        incomplete_suffix: suffix,
        content_layout: choice(LAYOUTS),
        preallocation: choice(PREALLOCATIONS),
        portable_names: flag,
        excluded_file_names: excludedNames,
      }}
      flags={{ portable_names: '--portable-names' }}
    >
      {(form) => (
        <>
          <CheckControl form={form} name="paused" label={t('options.adding.paused')} />
          <PathControl
            form={form}
            name="incomplete_path"
            label={t('options.adding.incompletePath')}
            help={t('options.adding.incompletePathHelp')}
          />
          <TextControl
            form={form}
            name="incomplete_suffix"
            label={t('options.adding.suffix')}
            help={t('options.adding.suffixHelp')}
          />
          <SelectControl
            form={form}
            name="content_layout"
            label={t('options.adding.layout')}
            options={LAYOUTS.map((value) => ({ value, label: t(`options.adding.layouts.${value}`) }))}
          />
          <SelectControl
            form={form}
            name="preallocation"
            label={t('options.adding.preallocation')}
            options={PREALLOCATIONS.map((value) => ({ value, label: t(`options.adding.preallocations.${value}`) }))}
          />
          <CheckControl
            form={form}
            name="portable_names"
            label={t('options.adding.portable')}
            help={t('options.adding.portableHelp')}
          />
          <LinesControl
            form={form}
            name="excluded_file_names"
            label={t('options.adding.excluded')}
            help={t('options.adding.excludedHelp')}
          />
        </>
      )}
    </SettingSection>
  );
}
