// Tools of other programs: which interfaces are answered, and what is to be entered in the tool that was chosen.
import { createSignal, For, Show } from 'solid-js';
import type { CompatibleDto } from '../../../../../shared-protocol/dto/compatible.js';
import { copyText } from '../../actions/copy.js';
import { call } from '../../net/http.js';
import { createFetched } from '../../state/fetched.js';
import { me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Field } from '../../ui/field.jsx';
import { ApiKey } from '../accounts/api-key.jsx';
import { flag } from '../settings/codecs.js';
import { CheckControl } from '../settings/controls.jsx';
import { createForm } from '../settings/create-form.js';
import { FormFrame } from '../settings/form.jsx';
import { Section } from '../settings/section.jsx';
import { frameOf } from '../settings/setting-form.js';
import { entriesFor, TOOLS, type Connection, type Tool } from './tools.js';
import styles from './tools.module.css';
import { BASE } from '../../net/base.js';

const PATH = '/api/settings/compatible';

type Switches = Pick<CompatibleDto, 'qbittorrent' | 'transmission'>;

export default function ToolsPage() {
  const remote = createFetched<CompatibleDto>(PATH);
  const form = createForm<Switches>({
    codecs: { qbittorrent: flag, transmission: flag },
    source: remote.value,
    async save(values) {
      await call('PUT', PATH, values);
      await remote.reload();
    },
  });
  const refused = () => {
    if (me().role !== 'admin') return t('settings.adminOnly');
    return remote.value()?.pinned.length ? t('settings.tools.pinned') : null;
  };
  const [key, setKey] = createSignal<string | null>(null);
  return (
    <>
      <Section about={t('settings.tools.about')}>
        <FormFrame {...frameOf(form, remote, refused)}>
          <CheckControl form={form} name="qbittorrent" label={t('settings.tools.qbittorrent')} />
          <CheckControl form={form} name="transmission" label={t('settings.tools.transmission')} />
        </FormFrame>
      </Section>
      <Section title={t('settings.tools.connect')} about={t('settings.tools.connectAbout')}>
        <Connecting switches={remote.value()} apiKey={key()} />
      </Section>
      <Section title={t('accounts.key.title')} about={t('settings.tools.keyAbout')}>
        <ApiKey onChange={setKey} />
      </Section>
    </>
  );
}

function Connecting(props: { readonly switches: Switches | null; readonly apiKey: string | null }) {
  const [id, setId] = createSignal(TOOLS[0]?.id);
  const tool = () => TOOLS.find((candidate) => candidate.id === id());
  const isOff = (chosen: Tool) => props.switches?.[chosen.interface] === false;
  return (
    <>
      <Field label={t('settings.tools.tool')}>
        {(control) => (
          <select {...control} class={styles['tool']} onChange={(event) => setId(event.currentTarget.value)}>
            <For each={TOOLS}>{(each) => <option value={each.id}>{each.name}</option>}</For>
          </select>
        )}
      </Field>
      <Show when={tool()} keyed>
        {(chosen) => (
          <>
            <Show when={isOff(chosen)}>
              <p role="status" class={styles['off']}>
                {t('settings.tools.off')}
              </p>
            </Show>
            <Entries tool={chosen} connection={here(props.apiKey)} />
          </>
        )}
      </Show>
    </>
  );
}

function Entries(props: { readonly tool: Tool; readonly connection: Connection }) {
  return (
    <div class={styles['entries']} role="group" aria-label={props.tool.name}>
      <Show when={props.tool.where} fallback={<p>{t('settings.tools.commandLine')}</p>}>
        <p lang="en">{props.tool.where}</p>
      </Show>
      <For each={entriesFor(props.tool, props.connection)}>
        {({ field, value, isSwitch }) => (
          <div class={styles['entry']}>
            <span lang="en">{field}</span>
            <code>{value(props.connection)}</code>
            <Show when={!isSwitch}>
              <Button
                aria-label={t('settings.tools.copy', { field: field || props.tool.name })}
                onClick={() => void copyText(value(props.connection))}
              >
                {t('settings.tools.copyShort')}
              </Button>
            </Show>
          </div>
        )}
      </For>
    </div>
  );
}

function here(key: string | null): Connection {
  const isSecure = location.protocol === 'https:';
  const port = Number(location.port) || (isSecure ? 443 : 80);
  return { host: location.hostname, port, isSecure, base: BASE, username: me().username, key };
}
