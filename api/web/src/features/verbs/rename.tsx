// The name under which a torrent is shown.
import { createSignal } from 'solid-js';
import { call } from '../../net/http.js';
import { torrentAddress } from '../../state/row-id.js';
import { t } from '../../strings/index.js';
import { Field } from '../../ui/field.jsx';
import type { VerbProps } from './verb-dialog.jsx';
import { VerbForm } from './verb-form.jsx';

export function Rename(props: VerbProps) {
  const torrent = props.verb.torrents[0]!;
  const [name, setName] = createSignal(torrent.name);
  return (
    <VerbForm
      title={t('verbs.rename.title')}
      submit={t('verbs.rename.submit')}
      onClose={props.onClose}
      onSubmit={async () => {
        await call('PUT', torrentAddress(torrent.id, '/name'), { name: name().trim() || null });
        return true;
      }}
    >
      <Field label={t('verbs.rename.name')} help={t('verbs.rename.help')}>
        {(control) => (
          <input
            {...control}
            spellcheck={false}
            autocomplete="off"
            value={name()}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
    </VerbForm>
  );
}
