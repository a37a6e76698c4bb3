// A new password, typed twice, since the user does not see it.
import { t } from '../../strings/index.js';
import { TextControl } from '../settings/controls.jsx';
import type { Form } from '../settings/create-form.js';

export interface PasswordFieldsProps<Values extends { readonly again: string }> {
  readonly form: Form<Values>;
  /** The name of the field where it is typed first. */
  readonly name: keyof Values & string;
}

export function PasswordFields<Values extends { readonly again: string }>(props: PasswordFieldsProps<Values>) {
  return (
    <>
      <TextControl
        form={props.form}
        name={props.name}
        kind="password"
        autocomplete="new-password"
        label={t('accounts.newPassword')}
        help={t('accounts.passwordHelp')}
      />
      <TextControl
        form={props.form}
        name="again"
        kind="password"
        autocomplete="new-password"
        label={t('accounts.again')}
      />
    </>
  );
}
