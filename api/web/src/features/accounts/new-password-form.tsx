// Setting a password without the one before, as administrators do.
import { call } from '../../net/http.js';
import { endingSession } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { showNote } from '../../ui/toasts.jsx';
import { text } from '../settings/codecs.js';
import { createForm } from '../settings/create-form.js';
import { FormFrame } from '../settings/form.jsx';
import { PasswordFields } from './password-fields.jsx';
import { passwordProblems } from './password-problems.js';
import { UsernameForManagers } from './username-for-managers.jsx';

export interface NewPasswordFormProps {
  readonly method: 'PUT' | 'POST';
  readonly path: string;
  /** Of the body. */
  readonly field: 'password' | 'new_password';
  readonly endsOwnSession: boolean;
  readonly username: string;
  /** In a dialog. */
  readonly onClose?: () => void;
}

interface Values {
  readonly password: string;
  readonly again: string;
}

export function NewPasswordForm(props: NewPasswordFormProps) {
  const form = createForm<Values>({
    codecs: { password: text, again: text },
    source: () => ({ password: '', again: '' }),
    check: ({ password, again }) => passwordProblems('password', password, again),
    save({ password }) {
      const put = () => call(props.method, props.path, { [props.field]: password });
      return props.endsOwnSession ? endingSession('password', props.username, put) : put();
    },
  });
  const onSaved = () => {
    if (!props.endsOwnSession) showNote({ look: 'good', text: t('accounts.passwordSet') });
    props.onClose?.();
  };
  return (
    <FormFrame form={form} saveLabel={t('accounts.setPassword')} onSaved={onSaved} {...cancel(props.onClose)}>
      <UsernameForManagers username={props.username} />
      <PasswordFields form={form} name="password" />
    </FormFrame>
  );
}

const cancel = (onClose: (() => void) | undefined) => (onClose ? { onCancel: onClose } : {});
