// Torrents of another program: looked at first, then taken over, with what came of each.
import { createSignal, onMount, Show } from 'solid-js';
import type { ImportDto } from '../../../../../shared-protocol/dto/imports.js';
import { ApiError, call } from '../../net/http.js';
import { me } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Section } from '../settings/section.jsx';
import { bodyOf, createDraft, isMapComplete } from './import-draft.js';
import { ImportForm } from './import-form.jsx';
import { ImportReport } from './import-report.jsx';
import { refusalOf, type Refusal } from './said.js';
import { createWatchedImport } from './watch-import.js';
import styles from './import.module.css';

export default function ImportPage() {
  const draft = createDraft(me().id);
  const watched = createWatchedImport();
  const [refusal, setRefusal] = createSignal<Refusal | null>(null);
  const [wasTried, setWasTried] = createSignal(false);
  const [isSending, setIsSending] = createSignal(false);
  /** The request that was looked at last, as text. */
  const [lookedAt, setLookedAt] = createSignal<string | null>(null);
  onMount(() => void watched.watchLast());
  const isRunning = () => isSending() || watched.report()?.state === 'running';
  const pathProblem = () => {
    const now = refusal();
    if (now?.isOfPath) return now.text;
    return wasTried() && draft.path.trim() === '' ? t('settings.form.required') : null;
  };
  /** How many the dry run of just this request says can come; null: there was none. */
  const promised = () => {
    const report = watched.report();
    if (!report?.dry_run || report.state !== 'done' || lookedAt() !== JSON.stringify(bodyOf(draft))) return null;
    return report.imported + report.magnets;
  };
  const bringsSettings = () =>
    watched.report()?.settings.some(({ result }) => result === 'changed' || result === 'made') === true;
  const refused = () => {
    if (isRunning()) return t('imports.underWay');
    if (promised() === null) return t('imports.dryRunFirst');
    return promised() === 0 && !bringsSettings() ? t('imports.nothingToImport') : null;
  };
  const begin = async (isDryRun: boolean) => {
    setWasTried(true);
    setRefusal(null);
    if (draft.path.trim() === '' || !isMapComplete(draft)) return;
    const body = bodyOf(draft);
    setIsSending(true);
    try {
      const { id } = await call<ImportDto>('POST', '/api/import', { ...body, dry_run: isDryRun });
      setLookedAt(isDryRun ? JSON.stringify(body) : null);
      void watched.watch(id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setRefusal(refusalOf(error.said, body.from));
    } finally {
      setIsSending(false);
    }
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isRunning()) void begin(true);
  };
  return (
    <>
      <Section about={t('imports.about')}>
        <p class={styles['stop']}>{t('imports.stop')}</p>
        <form class={styles['form']} noValidate onSubmit={submit}>
          <ImportForm draft={draft} isDisabled={isRunning()} pathProblem={pathProblem()} wasTried={wasTried()} />
          <div class={styles['buttons']}>
            <span class={styles['bad']} role="alert">
              {refusal()?.isOfPath === false ? refusal()?.text : ''}
            </span>
            <Button type="submit" refused={isRunning() ? t('imports.underWay') : null}>
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
