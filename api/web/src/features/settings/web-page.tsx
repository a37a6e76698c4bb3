// Where the interface is served, and what the first account signs in with. Only administrators see this page.
import { createSignal, Show } from 'solid-js';
import type { WebBody, WebDto } from '../../../../../shared-protocol/dto/settings.js';
import { call } from '../../net/http.js';
import { createFetched } from '../../state/fetched.js';
import { endingSession, me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { ApiKey } from '../accounts/api-key.jsx';
import { NewPasswordForm } from '../accounts/new-password-form.jsx';
import { bootstrap } from './bootstrap.js';
import { flag, number, text } from './codecs.js';
import { CheckControl, TextControl } from './controls.jsx';
import { createForm } from './create-form.js';
import { FormFrame } from './form.jsx';
import { LanguageSection } from './language-section.jsx';
import { Section } from './section.jsx';
import { frameOf } from './setting-form.js';
import { whenSignedInAgain } from './when-signed-in-again.js';
import styles from './settings.module.css';
import { BASE } from '../../net/base.js';

const PATH = '/api/settings/web';
const MAX_PORT = 65_535;
const FIRST_ACCOUNT = 1;

export default function WebPage() {
  const remote = createFetched<WebDto>(PATH);
  whenSignedInAgain(() => void remote.reload());
  const [movedTo, setMovedTo] = createSignal<number | null>(null);
  const isOwn = () => me().id === FIRST_ACCOUNT;
  const form = createForm<WebBody>({
    codecs: { enabled: flag, port: number({ max: MAX_PORT }), bind_all: flag, username: text },
    source: remote.value,
    async save(values) {
      const before = remote.value();
      const put = () => call('PUT', PATH, values);
      const isRenamed = before?.username !== values.username;
      await (isRenamed && isOwn() ? endingSession('username', values.username, put) : put());
      // The server answers first and moves then: the next look may not find it here.
      if (before?.port !== values.port) return void setMovedTo(values.port);
      await remote.reload();
    },
  });
  /** A change moves the listener all the same, until the flag holds again. */
  const pinnedBy = (name: WebDto['pinned'][number], flag: string) =>
    remote.value()?.pinned.includes(name) ? t('settings.pinnedUntilChanged', { flag }) : null;
  return (
    <>
      <Show when={movedTo() !== null}>
        <Moved port={movedTo()!} />
      </Show>
      <LanguageSection />
      <Section>
        <FormFrame {...frameOf(form, remote, () => null)}>
          <Show when={bootstrap.value()?.flavor === 'desktop'}>
            <CheckControl
              form={form}
              name="enabled"
              label={t('settings.web.enabled')}
              help={t('settings.web.enabledHelp')}
            />
          </Show>
          <TextControl
            form={form}
            name="port"
            kind="number"
            label={t('settings.web.port')}
            help={pinnedBy('port', '--port') ?? t('settings.web.portHelp')}
          />
          <CheckControl
            form={form}
            name="bind_all"
            label={t('settings.web.bindAll')}
            help={pinnedBy('bind_all', '--host') ?? ''}
          />
          <Show when={form.typed('bind_all') === true}>
            <p class={styles['warning']}>{t('settings.web.bindAllWarning')}</p>
          </Show>
          <TextControl
            form={form}
            name="username"
            label={t('settings.web.username')}
            help={isOwn() ? t('settings.web.usernameHelp') : t('settings.web.usernameOther')}
          />
        </FormFrame>
      </Section>
      <Section title={t('settings.web.password')} about={t('settings.web.passwordAbout')}>
        <NewPasswordForm
          endsOwnSession={isOwn()}
          username={remote.value()?.username ?? ''}
          method="PUT"
          path={`${PATH}/password`}
          field="password"
        />
      </Section>
      <Section title={t('settings.web.key')}>
        <Show when={isOwn()} fallback={<p class="muted">{t('settings.web.keyOther')}</p>}>
          <ApiKey />
        </Show>
      </Section>
    </>
  );
}

/** Where to go on, once the listener is somewhere else. */
function Moved(props: { readonly port: number }) {
  const address = () => `${location.protocol}//${location.hostname}:${props.port}${BASE}/settings/web`;
  return (
    <Section>
      <div role="status" class={styles['warning']}>
        <Show when={props.port !== 0} fallback={t('settings.web.movedAnywhere')}>
          {t('settings.web.moved', { port: String(props.port) })} <a href={address()}>{t('settings.web.goThere')}</a>
        </Show>
      </div>
    </Section>
  );
}
