// The language of the interface in this browser. Choosing one begins the page anew.
import { For } from 'solid-js';
import { t } from '../../strings/index.js';
import { chooseLanguage, LANGUAGE_CHOICES, languageChoice } from '../../strings/language.js';
import { Field } from '../../ui/field.jsx';
import { Section } from './section.jsx';

export function LanguageSection() {
  const choose = (select: HTMLSelectElement) => {
    const choice = LANGUAGE_CHOICES.find((known) => known === select.value);
    if (choice) chooseLanguage(choice);
  };
  return (
    <Section>
      <Field label={t('settings.web.language')} help={t('settings.web.languageAbout')}>
        {(control) => (
          <select {...control} onChange={(event) => choose(event.currentTarget)}>
            <For each={LANGUAGE_CHOICES}>
              {(choice) => (
                <option value={choice} selected={choice === languageChoice()}>
                  {t(`bar.language.${choice}`)}
                </option>
              )}
            </For>
          </select>
        )}
      </Field>
    </Section>
  );
}
