// A section that is one form over one resource of the settings, read and written under the same address.
import type { JSX } from 'solid-js';
import type { Codecs } from './codecs.js';
import type { Form, Pins } from './create-form.js';
import { FormFrame } from './form.jsx';
import { Section } from './section.jsx';
import { createSettingForm } from './setting-form.js';

export interface SettingSectionProps<Values extends object> {
  readonly title?: string;
  readonly about?: string;
  readonly path: string;
  readonly codecs: Codecs<Values>;
  /** Flags that may decide fields, by their names. */
  readonly flags?: Pins<Values>;
  /** Names in the body that are shown elsewhere, and stay as they are. */
  readonly others?: readonly string[];
  readonly children: (form: Form<Values>) => JSX.Element;
}

export function SettingSection<Values extends object>(props: SettingSectionProps<Values>) {
  const { form, frame } = createSettingForm(props.path, props.codecs, props.flags, props.others);
  return (
    <Section title={props.title} about={props.about}>
      <FormFrame {...frame}>{props.children(form)}</FormFrame>
    </Section>
  );
}
