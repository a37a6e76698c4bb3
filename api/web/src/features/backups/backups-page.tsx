// The backups of the state: what is in one, which there are, made, downloaded and deleted; whether some are made by themselves,
// and how one is restored.
import { createSignal, Show } from 'solid-js';
import { MAX_BACKUPS_ON_DEMAND } from '../../../../../shared-protocol/backup-bounds.js';
import type { BackupDto } from '../../../../../shared-protocol/dto/backups.js';
import { bytes, dateTime } from '../../format/quantities.js';
import { ForKeyed } from '../../ui/for-keyed.jsx';
import { t } from '../../strings/index.js';
import { Button } from '../../ui/button.jsx';
import { ConfirmDialog } from '../settings/confirm-dialog.jsx';
import lists from '../settings/item-list.module.css';
import { Section } from '../settings/section.jsx';
import { BackupFacts } from './backup-facts.jsx';
import { BackupItem } from './backup-item.jsx';
import styles from './backups.module.css';
import { failureWords } from './failure-words.js';
import { RestoreSection } from './restore-section.jsx';
import { watchBackups } from './watch-backups.js';

export default function BackupsPage() {
  let makeButton!: HTMLButtonElement;
  const backups = watchBackups();
  const [asked, setAsked] = createSignal<BackupDto | null>(null);
  const close = () => setAsked(null);
  const refused = () => {
    if (backups.isRunning()) return t('backups.running');
    const made = backups.value()?.backups.filter(({ automatic }) => !automatic) ?? [];
    return made.length >= MAX_BACKUPS_ON_DEMAND ? t('backups.full', { max: MAX_BACKUPS_ON_DEMAND }) : null;
  };
  /** Why the last one failed, as long as no other is under way. */
  const failure = () => (backups.isRunning() ? null : (backups.value()?.error ?? null));
  const said = () => {
    const made = backups.made();
    if (backups.isRunning()) return t('backups.running');
    if (!made || failure() !== null) return '';
    return t('backups.made', { time: dateTime(made.created_at), size: bytes(made.size) });
  };
  const remove = async ({ name }: BackupDto) => {
    close();
    // What had the focus is gone.
    if (await backups.remove(name)) makeButton.focus();
  };
  return (
    <>
      <Section isWide>
        <p class={styles['prose']}>{t('backups.about')}</p>
        <p class={`muted ${styles['prose']}`}>{t('backups.secret')}</p>
        <p class={`muted ${styles['prose']}`}>{t('backups.engines')}</p>
        <div class={styles['make']}>
          <Button ref={makeButton} look="primary" refused={refused()} onClick={() => void backups.begin()}>
            {t(backups.isRunning() ? 'backups.making' : 'backups.make')}
          </Button>
          <span role="status">{said()}</span>
        </div>
        <Show when={failure()}>
          {(error) => <Problem text={t('backups.failed', { reason: failureWords(error()) })} />}
        </Show>
        <Show when={backups.error()}>{(error) => <Problem text={error()} />}</Show>
        <Show when={backups.value()?.backups.length === 0}>
          <div class={lists['empty']}>
            <h2>{t('backups.emptyTitle')}</h2>
            <p>{t('backups.emptyHow')}</p>
          </div>
        </Show>
        <Show when={backups.value()?.backups.length}>
          <ul class={lists['list']} aria-label={t('backups.list')}>
            <ForKeyed each={backups.value()?.backups ?? null} keyOf={({ name }) => name}>
              {(backup) => <BackupItem backup={backup()} onDelete={() => setAsked(backup())} />}
            </ForKeyed>
          </ul>
        </Show>
        <Show when={backups.value()}>{(value) => <BackupFacts backups={value()} />}</Show>
      </Section>
      <RestoreSection />
      <ConfirmDialog
        title={t('backups.deleteTitle')}
        text={t('backups.deleteText', { name: asked()?.name ?? '', time: dateTime(asked()?.created_at ?? 0) })}
        confirm={t('backups.deleteConfirm')}
        isOpen={asked() !== null}
        onClose={close}
        onConfirm={() => void remove(asked()!)}
      />
    </>
  );
}

function Problem(props: { readonly text: string }) {
  return (
    <p role="alert" class="bad">
      {props.text}
    </p>
  );
}
