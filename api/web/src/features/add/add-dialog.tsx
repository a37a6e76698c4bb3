// The dialog for adding: what, where to and how. What could not be added stays in it, to be mended and tried again.
import { createMemo, createSignal, onMount, Show } from 'solid-js';
import { createStore, reconcile } from 'solid-js/store';
import { shortened } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Dialog } from '../../ui/dialog.jsx';
import { Field } from '../../ui/field.jsx';
import { showNote } from '../../ui/toasts.jsx';
import { useShell } from '../shell/shell.jsx';
import { BeginningFields, createBeginning } from './beginning.jsx';
import { addFiles, closeAdd, files, isAddOpen, setFiles, setText, text } from './draft.js';
import { SourceList } from './source-list.jsx';
import { parseText } from './sources.js';
import { addAll, type Result, type Source } from './submit.js';
import styles from './add.module.css';

const ROWS_SHOWN = 4;

export default function AddDialog() {
  const { torrents } = useShell().live;
  const beginning = createBeginning();
  const [results, setResults] = createStore<Record<string, Result>>({});
  /** The sources of the attempt before that are not to be tried again. */
  const [done, setDone] = createSignal<readonly Source[]>([]);
  const [isAdding, setIsAdding] = createSignal(false);
  const parsed = createMemo(() => parseText(text()));
  const sources = createMemo((): readonly Source[] => [...files(), ...parsed().links]);
  const complaint = () => {
    const [first] = parsed().unknown;
    return first === undefined ? null : t('add.unknown', { text: first.slice(0, 60) });
  };
  const refused = () => complaint() ?? (sources().length === 0 ? t('add.nothing') : null);
  let picker!: HTMLInputElement;
  let field!: HTMLTextAreaElement;
  onMount(() => queueMicrotask(() => field.focus()));

  const submit = async () => {
    if (refused() || isAdding()) return;
    const batch = sources();
    setDone([]);
    setResults(reconcile({}));
    setIsAdding(true);
    await addAll(batch, beginning.body(), new Set(torrents.all.keys()), (source, result) =>
      setResults(source.key, () => result),
    );
    setIsAdding(false);
    const isFailed = ({ key }: Source) => results[key]?.kind === 'failed';
    const failed = batch.filter(isFailed);
    if (failed.length === 0) {
      showNote({ look: 'good', text: summaryOf(batch, results) });
      return closeAdd();
    }
    setDone(batch.filter((source) => !isFailed(source)));
    setFiles(failed.filter((source) => source.kind === 'file'));
    setText(failed.flatMap((source) => (source.kind === 'file' ? [] : source.text)).join('\n'));
  };

  return (
    <Dialog title={t('add.dialogTitle')} isOpen={isAddOpen()} onClose={closeAdd}>
      <form
        class={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field label={t('add.links')} help={t('add.linksHelp')} error={complaint()}>
          {(control) => (
            <textarea
              {...control}
              ref={field}
              class={styles['links']}
              rows={ROWS_SHOWN}
              spellcheck={false}
              autocapitalize="off"
              readOnly={isAdding()}
              value={text()}
              onInput={(event) => setText(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit();
              }}
            />
          )}
        </Field>
        <div>
          <input
            ref={picker}
            type="file"
            accept=".torrent,application/x-bittorrent"
            multiple
            hidden
            onChange={() => {
              addFiles(picker.files ?? []);
              // So that the same file can be picked again after it was taken out.
              picker.value = '';
            }}
          />
          <Button refused={isAdding() ? t('add.adding') : null} onClick={() => picker.click()}>
            {t('add.chooseFiles')}
          </Button>{' '}
          <span class="muted">{t('add.orDrop')}</span>
        </div>
        <SourceList
          sources={[...done(), ...sources()]}
          results={results}
          onRemove={isAdding() ? null : (source) => setFiles(files().filter((other) => other !== source))}
        />
        <BeginningFields beginning={beginning} />
        <div class={styles['buttons']}>
          <Button onClick={closeAdd}>{t('common.cancel')}</Button>
          <Button type="submit" look="primary" refused={isAdding() ? t('add.adding') : refused()}>
            <Show when={sources().length > 1} fallback={t('add.submit')}>
              {t('add.submitMany', { count: sources().length })}
            </Show>
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function summaryOf(sources: readonly Source[], results: Readonly<Record<string, Result>>): string {
  const [first, ...others] = sources;
  const existed = sources.filter(({ key }) => results[key]?.kind === 'existed').length;
  if (first && others.length === 0) {
    const name = shortened(first.name.replace(/\.torrent$/i, ''));
    return t(existed === 0 ? 'add.addedNamed' : 'add.existedNamed', { name });
  }
  const added = sources.length - existed;
  if (existed === 0) return t('add.added', { count: added });
  if (added === 0) return t('add.existed', { count: existed });
  return `${t('add.added', { count: added })} ${t('add.existed', { count: existed })}`;
}
