// An archive of the other program's state, from this device: how to make it, choosing it, and how much of it has been sent.
import { createUniqueId, Show } from 'solid-js';
import type { ImportSource } from '../../../../../shared-protocol/dto/imports.js';
import { copyText } from '../../actions/copy.js';
import { bytes, inert, percent } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { Icon } from '../../ui/icons.jsx';
import { PACKING } from './packing.js';
import { ARCHIVE_ENDINGS, type ArchiveState, type ArchiveUpload } from './archive-upload.js';
import styles from './archive.module.css';

export interface ArchiveFieldProps {
  readonly from: ImportSource;
  readonly upload: ArchiveUpload;
  readonly problem: string | null;
}

export function ArchiveField(props: ArchiveFieldProps) {
  const id = createUniqueId();
  let picker!: HTMLInputElement;
  let chooser!: HTMLDivElement;
  const state = () => props.upload.state();
  const sending = () => of(state(), 'sending');
  const ready = () => {
    const now = of(state(), 'ready');
    if (!now || problem()) return '';
    return t('imports.ready', { count: now.archive.entries, size: bytes(now.archive.unpacked_bytes) });
  };
  const name = () => {
    const now = state();
    return now.kind === 'none' ? null : now.name;
  };
  const problem = () => of(state(), 'refused')?.text ?? props.problem;
  /** The button goes: who pressed it by key goes on at the one that stays. */
  const end = () => {
    props.upload.cancel();
    chooser.querySelector('button')?.focus();
  };
  return (
    <div class={styles['archive']} role="group" aria-labelledby={`${id}-label`} aria-describedby={`${id}-help`}>
      <span id={`${id}-label`} class={styles['label']}>
        {t('imports.archive')}
      </span>
      <div ref={chooser} class={styles['chosen']}>
        <input
          ref={picker}
          type="file"
          accept={ARCHIVE_ENDINGS.join(',')}
          hidden
          aria-label={t('imports.archive')}
          onChange={() => {
            const [file] = picker.files ?? [];
            if (file) void props.upload.send(file);
            // So that the same file can be chosen again.
            picker.value = '';
          }}
        />
        <Button refused={sending() ? t('imports.sending') : null} onClick={() => picker.click()}>
          {t(of(state(), 'ready') ? 'imports.chooseAnother' : 'imports.choose')}
        </Button>
        <Show when={name()}>{(name) => <bdi class={styles['name']}>{inert(name())}</bdi>}</Show>
        <Show when={of(state(), 'ready')}>
          <Button look="quiet" aria-label={t('imports.takeOut')} title={t('imports.takeOut')} onClick={end}>
            <Icon name="close" size={16} />
          </Button>
        </Show>
      </div>
      <Show when={sending()}>
        {(now) => (
          <div class={styles['progress']}>
            <progress max={now().size || 1} value={now().sent} aria-label={t('imports.sending')} />
            <span>{isSent(now()) ? t('imports.unpacking') : t('imports.sent', sentOf(now()))}</span>
            <Button onClick={end}>{t('imports.cancelSending')}</Button>
          </div>
        )}
      </Show>
      <div id={`${id}-help`} class={styles['help']}>
        <span role="status">{ready()}</span>
        <Show when={problem()} fallback={state().kind === 'none' ? t('imports.archiveHelp') : null}>
          {(text) => (
            <span class="bad" role="alert">
              {text()}
            </span>
          )}
        </Show>
      </div>
      <HowToPack from={props.from} />
    </div>
  );
}

function HowToPack(props: { readonly from: ImportSource }) {
  const program = () => t(`imports.programs.${props.from}`);
  return (
    <details class={styles['how']}>
      <summary>{t('imports.how', { program: program() })}</summary>
      <p>{t('imports.howAbout')}</p>
      <div class={styles['command']}>
        <code>{PACKING[props.from]}</code>
        <Button
          look="quiet"
          aria-label={t('imports.copyCommand')}
          title={t('imports.copyCommand')}
          onClick={() => void copyText(PACKING[props.from])}
        >
          <Icon name="copy" size={16} />
        </Button>
      </div>
      <p>{t(`imports.howElse.${props.from}`)}</p>
    </details>
  );
}

const isSent = ({ sent, size }: { readonly sent: number; readonly size: number }) => sent >= size;

function sentOf({ sent, size }: { readonly sent: number; readonly size: number }) {
  return { sent: bytes(sent), size: bytes(size), percent: percent(sent / size) };
}

function of<Kind extends ArchiveState['kind']>(
  state: ArchiveState,
  kind: Kind,
): Extract<ArchiveState, { readonly kind: Kind }> | null {
  return state.kind === kind ? (state as Extract<ArchiveState, { readonly kind: Kind }>) : null;
}
