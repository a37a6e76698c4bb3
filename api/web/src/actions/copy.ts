// Copies a text. Over plain HTTP browsers have no clipboard to write to but the old way.
import { t } from '../strings/index.js';
import { showNote } from '../ui/toasts.jsx';

export async function copyText(text: string): Promise<void> {
  const isCopied = (await byClipboard(text)) || bySelection(text);
  showNote(isCopied ? { text: t('actions.copied') } : { look: 'bad', text: t('actions.notCopied') });
}

async function byClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function bySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'visually-hidden';
  document.body.append(area);
  area.select();
  // Deprecated, and the only way on an origin that is not secure.
  const isCopied = document.execCommand('copy');
  area.remove();
  return isCopied;
}
