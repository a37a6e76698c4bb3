// Peers to connect to, typed by hand, for one torrent or several.
import { createSignal } from 'solid-js';
import { t } from '../../strings/index.js';
import { Field } from '../../ui/field.jsx';
import { doAndTell } from './tell-done.js';
import type { VerbProps } from './verb-dialog.jsx';
import { VerbForm } from './verb-form.jsx';

export function AddPeers(props: VerbProps) {
  const torrents = props.verb.torrents;
  const [text, setText] = createSignal('');
  const peers = () =>
    text()
      .split(/[\s,]+/)
      .filter(Boolean);
  return (
    <VerbForm
      title={t('verbs.peers.title', { count: torrents.length })}
      submit={t('verbs.peers.submit')}
      torrents={torrents}
      isDisabled={peers().length === 0}
      onClose={props.onClose}
      onSubmit={() => doAndTell(torrents, { action: 'add_peers', peers: peers() })}
    >
      <Field label={t('verbs.peers.addresses')} help={t('verbs.peers.help')}>
        {(control) => (
          <textarea
            {...control}
            rows={5}
            class="mono"
            spellcheck={false}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
    </VerbForm>
  );
}
