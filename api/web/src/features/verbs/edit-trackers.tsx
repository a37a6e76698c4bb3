// The trackers of torrents in their tiers: those of one as they are, to be put in another order, changed or taken away;
// those of several are added, or take the place of what each has.
import { createSignal, onMount, Show } from 'solid-js';
import type { TrackerDto } from '../../../../../shared-protocol/dto/inspector.js';
import { attempt } from '../../actions/perform.js';
import { call } from '../../net/http.js';
import { torrentAddress } from '../../state/row-id.js';
import { t } from '../../strings/index.js';
import { Field } from '../../ui/field.jsx';
import { doAndTell } from './tell-done.js';
import { textOf, tiersOf } from './tiers.js';
import type { VerbProps } from './verb-dialog.jsx';
import { VerbForm } from './verb-form.jsx';
import styles from './verbs.module.css';

export function EditTrackers(props: VerbProps) {
  const torrents = props.verb.torrents;
  const only = torrents.length === 1 ? torrents[0] : undefined;
  const [text, setText] = createSignal('');
  const [isLoaded, setIsLoaded] = createSignal(!only);
  const [isAdding, setIsAdding] = createSignal(!only);
  onMount(async () => {
    if (!only) return;
    const trackers = await attempt(() => call<readonly TrackerDto[]>('GET', torrentAddress(only.id, '/trackers')));
    if (!trackers) return props.onClose();
    setText(textOf(trackers));
    setIsLoaded(true);
  });
  const submit = async () => {
    const tiers = tiersOf(text());
    if (only) {
      await call('PUT', torrentAddress(only.id, '/trackers'), { tiers });
      return true;
    }
    if (!isAdding()) return doAndTell(torrents, { action: 'set_trackers', tiers: tiers.map((tier) => [...tier]) });
    return doAndTell(torrents, ...tiers.flat().map((url) => ({ action: 'add_tracker', url }) as const));
  };
  return (
    <VerbForm
      size="large"
      title={t('verbs.trackers.title', { count: torrents.length })}
      submit={t('verbs.trackers.save')}
      torrents={torrents}
      isLoading={!isLoaded()}
      isDisabled={isAdding() && tiersOf(text()).length === 0}
      onClose={props.onClose}
      onSubmit={submit}
    >
      <Show when={!only}>
        <fieldset class={styles['group']}>
          <legend>{t('verbs.trackers.how')}</legend>
          {([true, false] as const).map((adds) => (
            <label class={styles['check']}>
              <input type="radio" name="how" checked={isAdding() === adds} onChange={() => setIsAdding(adds)} />
              {t(adds ? 'verbs.trackers.add' : 'verbs.trackers.replace')}
            </label>
          ))}
        </fieldset>
      </Show>
      <Field label={t('verbs.trackers.urls')} help={t(isAdding() ? 'verbs.trackers.helpAdd' : 'verbs.trackers.help')}>
        {(control) => (
          <textarea
            {...control}
            rows={10}
            class="mono"
            spellcheck={false}
            disabled={!isLoaded()}
            value={text()}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
    </VerbForm>
  );
}
