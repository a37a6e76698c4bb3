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
import { isTouched } from '../shell/phone.js';
import { BeginningFields, createBeginning } from './beginning.jsx';
import { createMagnetPreviews } from './magnet-preview.js';
import { createPlans, idOf, isNothingWanted, wantedBytes, wishesOf } from './plans.js';
import { addFiles, closeAdd, files, isAddOpen, setFiles, setText, text } from './draft.js';
import { SourceList } from './source-list.jsx';
import { parseText } from './sources.js';
import { addAll, type Result, type Source } from './submit.js';
import dialog from '../../ui/dialog.module.css';
import styles from './add.module.css';

const ROWS_SHOWN = 3;

export default function AddDialog() {
  const { torrents } = useShell().live;
  const beginning = createBeginning();
  const [results, setResults] = createStore<Record<string, Result>>({});
  /** The sources of the attempt before that are not to be tried again. */
  const [done, setDone] = createSignal<readonly Source[]>([]);
  const [isAdding, setIsAdding] = createSignal(false);
  const parsed = createMemo(() => parseText(text()));
  const sources = createMemo((): readonly Source[] => [...files(), ...parsed().links]);
  const plans = createPlans(sources);
  const withoutLink = (link: Source) => {
    if (link.kind !== 'file')
      setText(
        parsed()
          .links.filter(({ key }) => key !== link.key)
          .map((one) => one.text)
          .join('\n'),
      );
  };
  const previews = createMagnetPreviews({
    torrents,
    onFile: (source, file) => {
      withoutLink(source);
      addFiles([file]);
    },
  });
  const remove = (source: Source) => {
    if (source.kind === 'magnet') void previews.cancel(source);
    if (source.kind === 'file') setFiles(files().filter((other) => other !== source));
    else withoutLink(source);
  };
  /** Bytes that go to the place of all. */
  const needed = () => {
    void torrents.changes;
    return sources().reduce((sum, source) => {
      const plan = plans.planOf(source);
      const id = idOf(source, plan);
      const isElsewhere = plan.path !== '' || (id !== null && torrents.all.has(id) && !previews.isGuest(id));
      return isElsewhere ? sum : sum + wantedBytes(plan);
    }, 0);
  };
  const complaint = () => {
    const [first] = parsed().unknown;
    return first === undefined ? null : t('add.unknown', { text: first.slice(0, 60) });
  };
  const refused = () => {
    if (complaint()) return complaint();
    if (sources().length === 0) return t('add.nothing');
    if (beginning.isRefused()) return t('add.more.wrong');
    return sources().some((source) => isNothingWanted(plans.planOf(source))) ? t('add.files.noneChosen') : null;
  };
  let picker!: HTMLInputElement;
  let field!: HTMLTextAreaElement;
  onMount(() => queueMicrotask(() => field.focus()));

  const submit = async () => {
    if (refused() || isAdding()) return;
    const batch = sources();
    // What is there for its metadata alone is not what is added.
    await Promise.all(batch.map((source) => source.kind === 'magnet' && previews.cancel(source)));
    setDone([]);
    setResults(reconcile({}));
    setIsAdding(true);
    const all = beginning.body();
    const beginningOf = (source: Source) => ({ ...all, ...wishesOf(plans.planOf(source)) });
    const known = new Set([...torrents.all.keys()].filter((id) => !previews.isGuest(id)));
    await addAll(batch, beginningOf, known, (source, result) => {
      setResults(source.key, () => result);
      const isOfAll = plans.planOf(source).path === '';
      if (result.kind === 'failed' && result.field === 'save_path' && isOfAll) beginning.setPathError(result.reason);
    });
    setIsAdding(false);
    const isFailed = ({ key }: Source) => results[key]?.kind === 'failed';
    const failed = batch.filter(isFailed);
    if (failed.length === 0) {
      const nameOf = (source: Source) => {
        const plan = plans.planOf(source);
        return plan.name.trim() || (plan.look.kind === 'known' ? plan.look.torrent.name : source.name);
      };
      showNote({ look: 'good', text: summaryOf(batch, results, nameOf) });
      return closeAdd();
    }
    setDone(batch.filter((source) => !isFailed(source)));
    setFiles(failed.filter((source) => source.kind === 'file'));
    setText(failed.flatMap((source) => (source.kind === 'file' ? [] : source.text)).join('\n'));
  };

  return (
    <Dialog size="large" title={t('add.dialogTitle')} isOpen={isAddOpen()} onClose={closeAdd}>
      <form
        class={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field
          label={t('add.links')}
          help={t(isTouched() ? 'add.linksHelpTouch' : 'add.linksHelp')}
          error={complaint()}
        >
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
          <Show when={!isTouched()}>
            <span class="muted">{t('add.orDrop')}</span>
          </Show>
        </div>
        <SourceList
          sources={[...done(), ...sources()]}
          results={results}
          plans={plans}
          previews={previews}
          onRemove={isAdding() ? null : remove}
          pathIn={beginning.pathIn}
          pathOfAll={beginning.path()}
        />
        <BeginningFields beginning={beginning} needed={needed()} />
        <div class={`${styles['buttons']} ${dialog['footer']}`}>
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

function summaryOf(
  sources: readonly Source[],
  results: Readonly<Record<string, Result>>,
  nameOf: (source: Source) => string,
): string {
  const [first, ...others] = sources;
  const existed = sources.filter(({ key }) => results[key]?.kind === 'existed').length;
  if (first && others.length === 0) {
    const name = shortened(nameOf(first).replace(/\.torrent$/i, ''));
    return t(existed === 0 ? 'add.addedNamed' : 'add.existedNamed', { name });
  }
  const added = sources.length - existed;
  if (existed === 0) return t('add.added', { count: added });
  if (added === 0) return t('add.existed', { count: existed });
  return `${t('add.added', { count: added })} ${t('add.existed', { count: existed })}`;
}
