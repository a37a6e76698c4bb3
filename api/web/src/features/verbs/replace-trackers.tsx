// An announce address, or how it begins (a host that has moved, a passkey that is another one), replaced in all torrents.
// Where that would be is shown before.
import { createSignal, For, Show } from 'solid-js';
import type { ReplacedTrackersDto } from '../../../../../shared-protocol/dto/trackers.js';
import { inert } from '../../format/quantities.js';
import { call } from '../../net/http.js';
import { worded } from '../../net/worded.js';
import { t } from '../../strings/index.js';
import { Field } from '../../ui/field.jsx';
import { showNote } from '../../ui/toasts.jsx';
import { useShell } from '../shell/shell.jsx';
import type { VerbProps } from './verb-dialog.jsx';
import { VerbForm } from './verb-form.jsx';
import styles from './verbs.module.css';

const NAMED = 50;

export function ReplaceTrackers(props: VerbProps) {
  const { live } = useShell();
  const [find, setFind] = createSignal('');
  const [replace, setReplace] = createSignal('');
  const [preview, setPreview] = createSignal<ReplacedTrackersDto | null>(null);
  const nameOf = (id: string) => inert(live.torrents.all.get(id)?.name ?? id);
  const addressesOf = ({ torrents }: ReplacedTrackersDto) =>
    torrents.reduce((sum, { addresses }) => sum + addresses, 0);
  const ask = (isDryRun: boolean) =>
    call<ReplacedTrackersDto>('POST', '/api/trackers/replace', {
      find: find().trim(),
      replace: replace().trim(),
      dry_run: isDryRun,
    });
  const type = (set: (text: string) => void) => (event: InputEvent & { currentTarget: HTMLInputElement }) => {
    set(event.currentTarget.value);
    setPreview(null);
  };
  const submit = async () => {
    if (!preview()) {
      setPreview(await ask(true));
      return false;
    }
    const done = await ask(false);
    showNote({ look: 'good', text: t('verbs.replace.done', { count: addressesOf(done) }) });
    for (const { id, error, ...reason } of done.failed.slice(0, 3)) {
      showNote({ look: 'bad', text: t('verbs.replace.kept', { name: nameOf(id), reason: worded(error, reason) }) });
    }
    return true;
  };
  return (
    <VerbForm
      title={t('verbs.replace.title')}
      submit={t(preview() ? 'verbs.replace.submit' : 'verbs.replace.preview')}
      isDisabled={find().trim() === '' || replace().trim() === '' || preview()?.torrents.length === 0}
      onClose={props.onClose}
      onSubmit={submit}
    >
      <p class="muted">{t('verbs.replace.about')}</p>
      <Field label={t('verbs.replace.find')} help={t('verbs.replace.findHelp')}>
        {(control) => <input {...control} class="mono" spellcheck={false} autocomplete="off" onInput={type(setFind)} />}
      </Field>
      <Field label={t('verbs.replace.with')}>
        {(control) => (
          <input {...control} class="mono" spellcheck={false} autocomplete="off" onInput={type(setReplace)} />
        )}
      </Field>
      <Show when={preview()}>
        {(shown) => (
          <div role="status">
            <p>
              {shown().torrents.length === 0
                ? t('verbs.replace.none')
                : t('verbs.replace.would', { count: addressesOf(shown()) })}
            </p>
            <ul class={styles['rows']}>
              <For each={shown().torrents.slice(0, NAMED)}>
                {({ id, addresses }) => (
                  <li>
                    <span class={styles['words']}>{nameOf(id)}</span>
                    <span class="muted">{addresses}</span>
                  </li>
                )}
              </For>
              <Show when={shown().torrents.length > NAMED}>
                <li class="muted">{t('verbs.replace.others', { count: shown().torrents.length - NAMED })}</li>
              </Show>
            </ul>
          </div>
        )}
      </Show>
    </VerbForm>
  );
}
