// Who else may see torrents, and how: for one or several.
import { createSignal, For, Show } from 'solid-js';
import type { ShareTarget } from '../../../../../shared-protocol/dto/accounts.js';
import { inert } from '../../format/quantities.js';
import { createFetched } from '../../state/fetched.js';
import { t } from '../../strings/index.js';
import { Field } from '../../ui/field.jsx';
import { doAndTell } from './tell-done.js';
import type { VerbProps } from './verb-dialog.jsx';
import { VerbForm } from './verb-form.jsx';

const LEVELS = ['viewer', 'editor', 'none'] as const;
type Level = (typeof LEVELS)[number];

export function Share(props: VerbProps) {
  const torrents = props.verb.torrents;
  const targets = createFetched<readonly ShareTarget[]>('/api/share_targets');
  const [userId, setUserId] = createSignal<number | null>(null);
  const [level, setLevel] = createSignal<Level>('viewer');
  const submit = async () => {
    const user = userId();
    const access = level();
    if (user === null) return false;
    return doAndTell(
      torrents,
      access === 'none' ? { action: 'unshare', user_id: user } : { action: 'share', user_id: user, access },
    );
  };
  return (
    <VerbForm
      size="small"
      title={t('verbs.share.title', { count: torrents.length })}
      submit={t(level() === 'none' ? 'verbs.share.revoke' : 'verbs.share.submit')}
      torrents={torrents}
      problem={userId() === null ? t('verbs.share.choose') : null}
      isDisabled={targets.value()?.length === 0}
      onClose={props.onClose}
      onSubmit={submit}
    >
      <Show when={targets.value()?.length !== 0} fallback={<p class="muted">{t('verbs.share.nobody')}</p>}>
        <Field label={t('verbs.share.account')} error={targets.error()}>
          {(control) => (
            <select {...control} onChange={(event) => setUserId(Number(event.currentTarget.value) || null)}>
              <option value="">{t('verbs.share.choose')}</option>
              <For each={targets.value()}>{({ id, username }) => <option value={id}>{inert(username)}</option>}</For>
            </select>
          )}
        </Field>
        <Field label={t('verbs.share.access')}>
          {(control) => (
            <select {...control} onChange={(event) => setLevel(event.currentTarget.value as Level)}>
              <For each={LEVELS}>
                {(each) => (
                  <option value={each} selected={level() === each}>
                    {t(`verbs.share.${each}`)}
                  </option>
                )}
              </For>
            </select>
          )}
        </Field>
      </Show>
    </VerbForm>
  );
}
