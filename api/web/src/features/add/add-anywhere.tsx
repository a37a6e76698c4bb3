// Takes what is dropped or pasted anywhere on the page, and holds the dialog that it ends up in. What is dropped on or
// pasted into a field goes there, unless it is files; files that the page takes itself go there.
import { createEffect, createSignal, onCleanup, onMount, Show } from 'solid-js';
import { Portal } from 'solid-js/web';
import { t } from '../../strings/index.js';
import { onDemand } from '../../ui/on-demand.jsx';
import { isTyping } from '../help/is-typing.js';
import { isAddOpen, openAdd, refusedToAdd } from './draft.js';
import { dropTaker } from './drop-taker.js';
import { opening, takeOpening } from './opened-with.js';
import { parseText } from './sources.js';
import styles from './add.module.css';

export const AddDialog = onDemand(['add', 'paths'], () => import('./add-dialog.jsx'));

export function AddAnywhere() {
  const [isOver, setIsOver] = createSignal(false);
  /** Whether something of this page is dragged: a link or marked text that is dragged about is nothing to add. */
  let isOwnDrag = false;

  /** Returns what is carried, when it is for us. */
  const wantedOf = ({ dataTransfer, target }: DragEvent): DataTransfer | null => {
    const types = dataTransfer?.types ?? [];
    if (types.includes('Files')) return dataTransfer;
    if (isOwnDrag || isTyping(target)) return null;
    return types.includes('text/uri-list') || types.includes('text/plain') ? dataTransfer : null;
  };
  const onDragOver = (event: DragEvent) => {
    const wanted = wantedOf(event);
    setIsOver(wanted !== null);
    if (!wanted) return;
    event.preventDefault();
    wanted.dropEffect = refusedToAdd() ? 'none' : 'copy';
  };
  const onDragLeave = ({ relatedTarget }: DragEvent) => {
    if (relatedTarget === null) setIsOver(false);
  };
  const onDrop = (event: DragEvent) => {
    setIsOver(false);
    const wanted = wantedOf(event);
    if (!wanted) return;
    event.preventDefault();
    take(wanted, (file) => dropTaker()?.take(file) === true);
  };
  const onPaste = (event: ClipboardEvent) => {
    if (isTyping(event.target) || !event.clipboardData) return;
    if (take(event.clipboardData)) event.preventDefault();
  };
  createEffect(() => {
    const opened = opening();
    if (!opened) return;
    takeOpening();
    openAdd(opened);
  });
  const listeners = {
    dragstart: () => (isOwnDrag = true),
    dragend: () => (isOwnDrag = false),
    dragenter: onDragOver,
    dragover: onDragOver,
    dragleave: onDragLeave,
    drop: onDrop,
    paste: onPaste,
  };
  onMount(() => {
    for (const [type, listener] of Object.entries(listeners))
      document.addEventListener(type, listener as EventListener);
  });
  onCleanup(() => {
    for (const [type, listener] of Object.entries(listeners)) {
      document.removeEventListener(type, listener as EventListener);
    }
  });

  return (
    <>
      <Show when={isOver()}>
        <Portal>
          <div class={styles['target']} aria-hidden="true">
            <p>{dropTaker()?.hint ?? refusedToAdd() ?? t('list.dropHere')}</p>
          </div>
        </Portal>
      </Show>
      <Show when={isAddOpen()}>
        <AddDialog />
      </Show>
    </>
  );
}

/** Whether there was anything in it. `isTaken`: takes a file that is not to be added, and says so. */
function take(data: DataTransfer, isTaken: (file: File) => boolean = () => false): boolean {
  if (data.files.length > 0) {
    const files = [...data.files].filter((file) => !isTaken(file));
    if (files.length > 0) openAdd({ files });
    return true;
  }
  // Dragged links come with their address; '#' begins a remark in such lists.
  const links = data.getData('text/uri-list').replace(/^#.*$/gm, '');
  const text = parseText(links).links.length > 0 ? links : data.getData('text/plain');
  const { links: found } = parseText(text);
  if (found.length === 0) return false;
  openAdd({ text: found.map((link) => link.text).join('\n') });
  return true;
}
