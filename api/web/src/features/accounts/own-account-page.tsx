// One's own quota, password and API key.
import { ApiError, call } from '../../net/http.js';
import { endingSession, me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { OwnQuota } from '../quotas/own-quota.jsx';
import { text } from '../settings/codecs.js';
import { TextControl } from '../settings/controls.jsx';
import { createForm } from '../settings/create-form.js';
import { FormFrame } from '../settings/form.jsx';
import { Section } from '../settings/section.jsx';
import { ApiKey } from './api-key.jsx';
import { PasswordFields } from './password-fields.jsx';
import { passwordProblems } from './password-problems.js';
import { UsernameForManagers } from './username-for-managers.jsx';
import styles from './accounts.module.css';

interface Values {
  readonly old_password: string;
  readonly new_password: string;
  readonly again: string;
}

export default function OwnAccountPage() {
  return (
    <div class={styles['page']}>
      <h1>{t('bar.ownAccount')}</h1>
      <OwnQuota />
      <Section title={t('accounts.password')} about={t('accounts.passwordAbout')}>
        <OwnPassword />
      </Section>
      <Section title={t('accounts.key.title')}>
        <ApiKey />
      </Section>
    </div>
  );
}

function OwnPassword() {
  const form = createForm<Values>({
    codecs: { old_password: text, new_password: text, again: text },
    source: () => ({ old_password: '', new_password: '', again: '' }),
    check: ({ new_password, again }) => passwordProblems('new_password', new_password, again),
    save: ({ old_password, new_password }) =>
      endingSession('password', me().username, () =>
        call('POST', '/api/me/password', { old_password, new_password }),
      ).catch(atOldPassword),
  });
  return (
    <FormFrame form={form} saveLabel={t('accounts.changePassword')} onSaved={() => undefined}>
      <UsernameForManagers username={me().username} />
      <TextControl
        form={form}
        name="old_password"
        kind="password"
        autocomplete="current-password"
        label={t('accounts.oldPassword')}
      />
      <PasswordFields form={form} name="new_password" />
    </FormFrame>
  );
}

/** The one refusal whose words (docs/semantics.md section 13) do not begin with the field. */
function atOldPassword(error: unknown): never {
  const isWrong = error instanceof ApiError && error.reason.code === 'PASSWORD_INCORRECT';
  throw isWrong ? new ApiError(error.status, `old_password: ${error.said}`, error.reason) : error;
}
