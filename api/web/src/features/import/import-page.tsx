// Torrents of another program: looked at first, then taken over, with what came of each.
import { createEffect, createSignal, on, onMount, Show } from 'solid-js';
import type { ImportDto } from '../../../../../shared-protocol/dto/imports.js';
import { ApiError, call } from '../../net/http.js';
import { me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { showNote } from '../../ui/toasts.jsx';
import { takeDrops } from '../add/drop-taker.js';
import { Section } from '../settings/section.jsx';
import { createArchiveUpload, isArchiveName } from './archive-upload.js';
import { bodyOf, createDraft, isMapComplete } from './import-draft.js';
import { ImportForm } from './import-form.jsx';
import { ImportReport } from './import-report.jsx';
import { refusalOf, type Refusal } from './said.js';
import { createWatchedImport } from './watch-import.js';
import styles from './import.module.css';

export default function ImportPage() {
  const draft = createDraft(me().id);
  const upload = createArchiveUpload();
  const watched = createWatchedImport();
  const [refusal, setRefusal] = createSignal<Refusal | null>(null);
  const [wasTried, setWasTried] = createSignal(false);
  const [isSending, setIsSending] = createSignal(false);
  /** The request that was looked at last, as text. */
  const [lookedAt, setLookedAt] = createSignal<string | null>(null);
  onMount(() => void watched.watchLast());
  takeDrops({
    get hint() {
      return t('imports.dropHere');
    },
    take(file) {
      if (!isArchiveName(file.name)) return false;
      if (isRunning()) showNote({ text: t('imports.underWay'), look: 'bad' });
      else {
        draft.where = 'archive';
        void upload.send(file);
      }
      return true;
    },
  });
  const isRunning = () => isSending() || watched.report()?.state === 'running';
  const body = () => bodyOf(draft, upload.id());
  const isNamed = () => (draft.where === 'path' ? draft.path.trim() !== '' : upload.id() !== null);
  const problem = () => {
    const now = refusal();
    if (now?.isOfSource) return now.text;
    if (!wasTried() || isNamed()) return null;
    if (draft.where === 'path') return t('settings.form.required');
    return upload.state().kind === 'none' ? t('imports.chooseFirst') : null;
  };
  // What was said of a folder or an archive is not said of another.
  createEffect(on([() => draft.where, upload.id], () => setRefusal(null), { defer: true }));
  const busy = () => {
    if (isRunning()) return t('imports.underWay');
    return draft.where === 'archive' && upload.state().kind === 'sending' ? t('imports.waitForArchive') : null;
  };
  /** How many the dry run of just this request says can come; null: there was none. */
  const promised = () => {
    const report = watched.report();
    if (!report?.dry_run || report.state !== 'done' || lookedAt() !== JSON.stringify(body())) return null;
    return report.imported + report.magnets;
  };
  const bringsSettings = () =>
    watched.report()?.settings.some(({ result }) => result === 'changed' || result === 'made') === true;
  const refused = () => {
    if (busy()) return busy();
    if (promised() === null) return t('imports.dryRunFirst');
    return promised() === 0 && !bringsSettings() ? t('imports.nothingToImport') : null;
  };
  const begin = async (isDryRun: boolean) => {
    setWasTried(true);
    setRefusal(null);
    if (!isNamed() || !isMapComplete(draft)) return;
    const asked = body();
    setIsSending(true);
    try {
      const { id } = await call<ImportDto>('POST', '/api/import', { ...asked, dry_run: isDryRun });
      setLookedAt(isDryRun ? JSON.stringify(asked) : null);
      setWasTried(false);
      // With the import the server lets go of it.
      if (draft.where === 'archive' && !isDryRun) upload.gone();
      void watched.watch(id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.reason.code === 'ARCHIVE_NOT_FOUND') upload.gone(t('imports.said.archiveGone'));
      else setRefusal(refusalOf(error, asked.from));
    } finally {
      setIsSending(false);
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!busy()) void begin(true);
  };
  return (
    <>
      <Section about={t('imports.about')}>
        <p class={styles['stop']}>{t('imports.stop')}</p>
        <form class={styles['form']} noValidate onSubmit={submit}>
          <ImportForm {...{ draft, upload }} isDisabled={isRunning()} problem={problem()} wasTried={wasTried()} />
          <div class={styles['buttons']}>
            <span class="bad" role="alert">
              {refusal()?.isOfSource === false ? refusal()?.text : ''}
            </span>
            <Button type="submit" refused={busy()}>
              {t('imports.dryRun')}
            </Button>
            <Button look="primary" refused={refused()} onClick={() => void begin(false)}>
              {promised() ? t('imports.beginCount', { count: promised()! }) : t('imports.begin')}
            </Button>
          </div>
        </form>
      </Section>
      <Show when={watched.report()}>
        {(report) => (
          <ImportReport report={report()} onCancel={() => void watched.cancel()} onMore={() => void watched.more()} />
        )}
      </Show>
    </>
  );
}
