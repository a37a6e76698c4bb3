// Setting a server up, or changing where it is, by which key, and who sees it.
import { For, Show } from 'solid-js';
import type { UserDto } from '../../../../../shared-protocol/dto/accounts.js';
import type { RemoteDto } from '../../../../../shared-protocol/dto/remotes.js';
import { inert } from '../../format/quantities.js';
import { call } from '../../net/http.js';
import { createFetched } from '../../state/fetched.js';
import { me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Dialog } from '../../ui/dialog.jsx';
import { text } from '../settings/codecs.js';
import { TextControl } from '../settings/controls.jsx';
import { createForm, type Form } from '../settings/create-form.js';
import { FormFrame } from '../settings/form.jsx';
import styles from './servers.module.css';

export interface ServerDialogProps {
  readonly isOpen: boolean;
  /** null: a new one. */
  readonly server: RemoteDto | null;
  readonly onClose: () => void;
  readonly onChanged: () => Promise<void>;
}

/** `users`: ids with commas between them. */
interface Values {
  readonly name: string;
  readonly url: string;
  readonly api_key: string;
  readonly tls: string;
  readonly users: string;
}

export function ServerDialog(props: ServerDialogProps) {
  return (
    <Dialog title={t(props.server ? 'servers.edit' : 'servers.new')} isOpen={props.isOpen} onClose={props.onClose}>
      <ServerForm {...props} />
    </Dialog>
  );
}

function ServerForm(props: ServerDialogProps) {
  // As it was when the dialog opened.
  const { server } = props;
  const source = {
    ...{ name: server?.name ?? '', url: server?.url ?? '', api_key: '' },
    tls: server?.tls === 'verify' ? '' : (server?.tls ?? '').replace(/^pin:/, ''),
    users: (server?.user_ids ?? [me().id]).join(','),
  };
  const form = createForm<Values>({
    codecs: { name: text, url: text, api_key: text, tls: text, users: text },
    source: () => source,
    async save({ name, url, api_key, tls, users }) {
      const body = {
        ...{ name, url, user_ids: idsIn(users) },
        ...(tls.trim() === '' ? { tls: 'verify' } : { tls: `pin:${tls.replaceAll(/[:\s]/g, '')}` }),
        ...(api_key === '' ? {} : { api_key }),
      };
      await (server ? call('PUT', `/api/remotes/${server.id}`, body) : call('POST', '/api/remotes', body));
      await props.onChanged();
    },
  });
  return (
    <FormFrame form={form} saveLabel={server ? t('common.save') : t('servers.add')} onClose={props.onClose}>
      <TextControl form={form} name="name" label={t('servers.name')} />
      <TextControl form={form} name="url" kind="url" label={t('servers.url')} help={t('servers.urlHelp')} />
      <TextControl
        form={form}
        name="api_key"
        kind="password"
        autocomplete="off"
        label={t('servers.key')}
        help={t(server ? 'servers.keyStays' : 'servers.keyHelp')}
      />
      <TextControl form={form} name="tls" label={t('servers.certificate')} help={t('servers.certificateHelp')} />
      <Users form={form} />
    </FormFrame>
  );
}

/** The accounts that see it. */
function Users(props: { readonly form: Form<Values> }) {
  const users = createFetched<readonly UserDto[]>('/api/users');
  const chosen = () => idsIn(String(props.form.typed('users')));
  const choose = (id: number, isChosen: boolean) => {
    const others = chosen().filter((each) => each !== id);
    props.form.type('users', (isChosen ? [...others, id] : others).sort((a, b) => a - b).join(','));
  };
  return (
    <fieldset class={styles['users']}>
      <legend>{t('servers.users')}</legend>
      <p class="muted">{t('servers.usersHelp')}</p>
      <Show when={users.error()}>
        <p role="alert">{users.error()}</p>
      </Show>
      <For each={users.value()}>
        {({ id, username }) => (
          <label class={styles['user']}>
            <input
              type="checkbox"
              checked={chosen().includes(id)}
              onChange={(event) => choose(id, event.currentTarget.checked)}
            />
            {inert(username)}
          </label>
        )}
      </For>
    </fieldset>
  );
}

function idsIn(text: string): number[] {
  return text.split(',').filter(Boolean).map(Number);
}
