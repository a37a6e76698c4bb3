// Settings, feeds and rules of the other program beside those here, and what came of each.
import { For, Show } from 'solid-js';
import type { ImportedSettingDto } from '../../../../../shared-protocol/dto/imports.js';
import { t } from '../../strings/index.js';
import { remarkLanguage, remarkSentence, remarkWords } from './remark-words.js';
import styles from './import.module.css';

export interface ImportedSettingsProps {
  readonly settings: readonly ImportedSettingDto[];
  readonly isDryRun: boolean;
}

export function ImportedSettings(props: ImportedSettingsProps) {
  const result = ({ result }: ImportedSettingDto) => {
    if (props.isDryRun && result === 'changed') return t('imports.settingResults.wouldChange');
    if (props.isDryRun && result === 'made') return t('imports.settingResults.wouldMake');
    return t(`imports.settingResults.${result}`);
  };
  return (
    <div class={styles['settings']}>
      <h3>{t('imports.settingsOf')}</h3>
      <div class={styles['scroll']} tabindex={0} role="region" aria-label={t('imports.settingsOf')}>
        <table class={`${styles['table']} ${styles['whole']}`}>
          <thead>
            <tr>
              <th scope="col">{t('imports.setting')}</th>
              <th scope="col">{t('imports.settingHere')}</th>
              <th scope="col">{t('imports.settingThere')}</th>
              <th scope="col">{t('imports.result')}</th>
            </tr>
          </thead>
          <tbody>
            <For each={props.settings}>
              {(setting) => (
                <tr data-result={setting.result}>
                  <td>
                    <bdi>{remarkWords(setting.remarks.name, setting.name)}</bdi>
                  </td>
                  <td>
                    {setting.from === null ? t('imports.noSetting') : remarkWords(setting.remarks.from, setting.from)}
                  </td>
                  <td>{remarkWords(setting.remarks.to, setting.to ?? '')}</td>
                  <td>
                    <span class={setting.result === 'left_out' ? 'bad' : undefined}>{result(setting)}</span>
                    <Show when={setting.reason}>
                      {(reason) => (
                        <div class={styles['reason']} lang={remarkLanguage(setting.remarks.reason)}>
                          {remarkSentence(setting.remarks.reason, reason())}
                        </div>
                      )}
                    </Show>
                  </td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </div>
    </div>
  );
}
