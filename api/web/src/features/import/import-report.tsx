// How far an import is, and what came of each torrent, with the reason where it could not be taken.
import { A } from '@solidjs/router';
import { createSignal, For, Show } from 'solid-js';
import type { ImportedTorrentDto, ImportReportDto } from '../../../../../shared-protocol/dto/imports.js';
import { inert } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Section } from '../settings/section.jsx';
import { ImportedSettings } from './imported-settings.jsx';
import { remarkLanguage, remarkSentence, remarkWords } from './remark-words.js';
import styles from './import.module.css';

export interface ImportReportProps {
  readonly report: ImportReportDto;
  readonly onCancel: () => void;
  readonly onMore: () => void;
}

export function ImportReport(props: ImportReportProps) {
  const title = () =>
    t(props.report.dry_run ? 'imports.dryRunOf' : 'imports.importOf', {
      program: t(`imports.programs.${props.report.from}`),
    });
  const isRunning = () => props.report.state === 'running';
  const counts = () => {
    const { dry_run, imported, magnets, existed, skipped } = props.report;
    return [
      t(dry_run ? 'imports.counts.wouldImport' : 'imports.counts.imported', { count: imported }),
      ...(magnets > 0 ? [t('imports.counts.magnets', { count: magnets })] : []),
      ...(existed > 0 ? [t('imports.counts.existed', { count: existed })] : []),
      ...(skipped > 0 ? [t('imports.counts.skipped', { count: skipped })] : []),
    ].join(' · ');
  };
  return (
    <Section isWide title={title()}>
      <div role="status" class={styles['state']}>
        <strong class={props.report.state === 'failed' ? 'bad' : undefined}>
          {t(`imports.state.${props.report.state}`)}
        </strong>
        <span>{counts()}</span>
      </div>
      <Show when={isRunning()}>
        <div class={styles['progress']}>
          <progress max={props.report.total || 1} value={props.report.done} aria-label={title()} />
          <span>{t('imports.progress', { done: props.report.done, total: props.report.total })}</span>
          <Button onClick={() => props.onCancel()}>{t('imports.cancel')}</Button>
        </div>
      </Show>
      <Show when={props.report.error}>
        {(error) => (
          <p class="bad" lang={remarkLanguage(props.report.remarks.error)}>
            {remarkSentence(props.report.remarks.error, error())}
          </p>
        )}
      </Show>
      <Show when={!props.report.dry_run && (props.report.state === 'cancelled' || props.report.state === 'failed')}>
        <p class="muted">{t('imports.again')}</p>
      </Show>
      <Show when={props.report.notes.length > 0}>
        <div>
          <h3>{t('imports.notes')}</h3>
          <ul>
            <For each={props.report.notes}>
              {(note, place) => (
                <li lang={remarkLanguage(props.report.remarks.notes[place()])}>
                  {remarkWords(props.report.remarks.notes[place()], note)}
                </li>
              )}
            </For>
          </ul>
        </div>
      </Show>
      <Show when={props.report.settings.length > 0}>
        <ImportedSettings settings={props.report.settings} isDryRun={props.report.dry_run} />
      </Show>
      <Show when={!isRunning() && props.report.torrents.length > 0}>
        <Torrents {...props} />
      </Show>
      <Show when={!props.report.dry_run && !isRunning()}>
        <div>
          <A href="/">{t('imports.toTorrents')}</A>
        </div>
      </Show>
    </Section>
  );
}

function Torrents(props: ImportReportProps) {
  const [isShort, setIsShort] = createSignal(false);
  const shown = () =>
    props.report.torrents.filter(({ result, notes }) => !isShort() || result === 'skipped' || notes.length > 0);
  return (
    <>
      <label class={styles['only']}>
        <input type="checkbox" checked={isShort()} onChange={(event) => setIsShort(event.currentTarget.checked)} />
        {t('imports.onlyProblems')}
      </label>
      <Show when={shown().length > 0} fallback={<p class="muted">{t('imports.noProblems')}</p>}>
        <div class={styles['scroll']} tabindex={0} role="region" aria-label={t('imports.torrents')}>
          <table class={styles['table']}>
            <thead>
              <tr>
                <th scope="col">{t('imports.name')}</th>
                <th scope="col">{t('imports.result')}</th>
                <th scope="col">{t('imports.savePath')}</th>
              </tr>
            </thead>
            <tbody>
              <For each={shown()}>{(torrent) => <Row torrent={torrent} isDryRun={props.report.dry_run} />}</For>
            </tbody>
          </table>
        </div>
      </Show>
      <Show when={props.report.torrents.length < props.report.done}>
        <div>
          <Button onClick={() => props.onMore()}>{t('imports.more')}</Button>
        </div>
      </Show>
    </>
  );
}

function Row(props: { readonly torrent: ImportedTorrentDto; readonly isDryRun: boolean }) {
  const result = () => {
    const { result } = props.torrent;
    return t(`imports.results.${props.isDryRun && result === 'imported' ? 'wouldImport' : result}`);
  };
  return (
    <tr data-result={props.torrent.result}>
      <td>
        <bdi>{inert(props.torrent.name || props.torrent.record)}</bdi>
      </td>
      <td>
        <span class={props.torrent.result === 'skipped' ? 'bad' : undefined}>{result()}</span>
        <Show when={props.torrent.reason}>
          {(reason) => (
            <div class={styles['reason']} lang={remarkLanguage(props.torrent.remarks.reason)}>
              {remarkSentence(props.torrent.remarks.reason, reason())}
            </div>
          )}
        </Show>
        <For each={props.torrent.notes}>
          {(note, place) => (
            <div class={styles['reason']} lang={remarkLanguage(props.torrent.remarks.notes[place()])}>
              {remarkWords(props.torrent.remarks.notes[place()], note)}
            </div>
          )}
        </For>
      </td>
      <td class={styles['path']}>{inert(props.torrent.save_path)}</td>
    </tr>
  );
}
