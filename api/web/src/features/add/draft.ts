// What the user is about to add, wherever on the page it came from: a button, a drop, a paste. One for the whole page.
import { createSignal } from 'solid-js';
import { may } from '../../state/session.js';
import { t } from '../../strings/index.js';
import { showNote } from '../../ui/toasts.jsx';

export interface FileSource {
  readonly kind: 'file';
  readonly key: string;
  readonly name: string;
  readonly file: File;
}

const [isOpen, setIsOpen] = createSignal(false);
const [text, setText] = createSignal('');
const [files, setFiles] = createSignal<readonly FileSource[]>([]);

export { files, isOpen as isAddOpen, setFiles, setText, text };

/** Why nothing can be added; null when it can. */
export function refusedToAdd(): string | null {
  return may('perm_add_torrents') ? null : t('permission.add');
}

/** Opens the dialog, or adds to what is in it. */
export function openAdd(found: { readonly text?: string; readonly files?: readonly File[] } = {}): void {
  const refused = refusedToAdd();
  if (refused) return void showNote({ look: 'bad', text: refused });
  if (found.text) setText((before) => [before.trimEnd(), found.text].filter(Boolean).join('\n'));
  if (found.files) addFiles(found.files);
  setIsOpen(true);
}

export function closeAdd(): void {
  setIsOpen(false);
  setText('');
  setFiles([]);
}

/** The same file twice is one. */
export function addFiles(more: Iterable<File>): void {
  const byKey = new Map(files().map((source) => [source.key, source]));
  for (const file of more) {
    const key = `${file.name}/${file.size}/${file.lastModified}`;
    if (!byKey.has(key)) byKey.set(key, { kind: 'file', key, name: file.name, file });
  }
  setFiles([...byKey.values()]);
}
