// Moving torrents to another server: to which, and whether the files of here go once all of it is there. How far it is, is
// shown at Settings, Servers.
import { createMemo, createSignal, For } from 'solid-js';
import { oneByOne } from '../../actions/one-by-one.js';
import { inert } from '../../format/quantities.js';
import { call } from '../../net/http.js';
import { infoHashOf, serverOf } from '../../state/row-id.js';
import { seenServers } from '../../state/servers.js';
import { t } from '../../strings/index.js';
import { Field } from '../../ui/field.jsx';
import { showNote } from '../../ui/toasts.jsx';
import type { VerbProps } from './verb-dialog.jsx';
import { VerbForm } from './verb-form.jsx';
import styles from './verbs.module.css';

/** The value that stands for this server. */
const HERE = '0';

export function ToServer(props: VerbProps) {
  const { torrents } = props.verb;
  const sources = new Set(torrents.map(({ id }) => serverOf(id)));
  /** Servers on which not all of them are already. */
  const targets = createMemo(() => {
    const all = [
      { value: HERE, id: null, name: t('filter.thisServer'), isThere: true },
      ...seenServers().map(({ id, name, state }) => {
        return { value: String(id), id, name: inert(name), isThere: state === 'connected' };
      }),
    ];
    return all.filter(({ id }) => sources.size > 1 || !sources.has(id));
  });
  const [chosen, setChosen] = createSignal(targets().find(({ isThere }) => isThere)?.value ?? '');
  const [keeps, setKeeps] = createSignal(false);
  const submit = async () => {
    const to = chosen() === HERE ? null : Number(chosen());
    const wanted = torrents.filter(({ id }) => serverOf(id) !== to);
    const { length: begun } = await oneByOne(wanted, 'actions.doing.toServer', ({ id }) =>
      call('POST', '/api/server_moves', { infohash: infoHashOf(id), from: serverOf(id), to, delete_data: !keeps() }),
    );
    if (begun > 0) showNote({ look: 'good', text: t('verbs.toServer.begun', { count: begun }) });
    return begun > 0;
  };
  return (
    <VerbForm
      title={t('verbs.toServer.title', { count: torrents.length })}
      submit={t('verbs.toServer.submit')}
      torrents={torrents}
      problem={chosen() === '' ? t('verbs.toServer.none') : null}
      onClose={props.onClose}
      onSubmit={submit}
    >
      <Field label={t('verbs.toServer.to')} help={t('verbs.toServer.help')}>
        {(control) => (
          <select {...control} value={chosen()} onChange={(event) => setChosen(event.currentTarget.value)}>
            <For each={targets()}>
              {({ value, name, isThere }) => (
                <option value={value} disabled={!isThere}>
                  {isThere ? name : t('verbs.toServer.away', { name })}
                </option>
              )}
            </For>
          </select>
        )}
      </Field>
      <label class={styles['check']}>
        <input type="checkbox" checked={keeps()} onChange={(event) => setKeeps(event.currentTarget.checked)} />
        <span>
          {t('verbs.toServer.keep')}
          <small>{t('verbs.toServer.keepHelp')}</small>
        </span>
      </label>
    </VerbForm>
  );
}
