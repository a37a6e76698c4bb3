// Setting a password without the one before, as administrators do.
import { Show } from 'solid-js';
import { call } from '../../net/http.js';
import { endingSession } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { showNote } from '../../ui/toasts.jsx';
import { flag, text } from '../settings/codecs.js';
import { CheckControl } from '../settings/controls.jsx';
import { createForm } from '../settings/create-form.js';
import { FormFrame } from '../settings/form.jsx';
import { PasswordFields } from './password-fields.jsx';
import { passwordProblems } from './password-problems.js';
import { UsernameForManagers } from './username-for-managers.jsx';

export interface NewPasswordFormProps {
  readonly method: 'PUT' | 'POST';
  readonly path: string;
  /** The field of the body. */
  readonly field: 'password' | 'new_password';
  readonly endsOwnSession: boolean;
  readonly username: string;
  /** Offers to end the API key of the account too. */
  readonly mayEndKey?: boolean;
  /** In a dialog. */
  readonly onClose?: () => void;
}

interface Values {
  readonly password: string;
  readonly again: string;
  readonly endsKey: boolean;
}

export function NewPasswordForm(props: NewPasswordFormProps) {
  const form = createForm<Values>({
    codecs: { password: text, again: text, endsKey: flag },
    source: () => ({ password: '', again: '', endsKey: false }),
    check: ({ password, again }) => passwordProblems('password', password, again),
    save({ password, endsKey }) {
      const body = { [props.field]: password, ...(endsKey ? { end_api_key: true } : {}) };
      const put = () => call(props.method, props.path, body);
      return props.endsOwnSession ? endingSession('password', props.username, put) : put();
    },
  });
  const onSaved = () => {
    if (!props.endsOwnSession) showNote({ look: 'good', text: t('accounts.passwordSet') });
  };
  return (
    <FormFrame form={form} saveLabel={t('accounts.setPassword')} onClose={props.onClose} onSaved={onSaved}>
      <UsernameForManagers username={props.username} />
      <PasswordFields form={form} name="password" />
      <Show when={props.mayEndKey}>
        <CheckControl form={form} name="endsKey" label={t('accounts.resetKey')} />
      </Show>
    </FormFrame>
  );
}
