// Asks before a page with unsaved changes is left for another.
import { useBeforeLeave, type BeforeLeaveEventArgs } from '@solidjs/router';
import { createSignal } from 'solid-js';
import { t } from '../../strings/index.js';
import { ConfirmDialog } from './confirm-dialog.jsx';

export function LeaveGuard(props: { readonly isChanged: boolean }) {
  const [held, setHeld] = createSignal<BeforeLeaveEventArgs | null>(null);
  useBeforeLeave((event) => {
    // Of two forms on a page the first asks for both.
    if (!props.isChanged || event.defaultPrevented) return;
    event.preventDefault();
    setHeld(event);
  });
  return (
    <ConfirmDialog
      title={t('settings.leave.title')}
      isOpen={held() !== null}
      text={t('settings.leave.text')}
      confirm={t('settings.leave.confirm')}
      cancel={t('settings.leave.stay')}
      onClose={() => setHeld(null)}
      onConfirm={() => {
        const event = held();
        setHeld(null);
        event?.retry(true);
      }}
    />
  );
}
