// An archive on its way to the server: in parts, so that reverse proxies let it through, with word of how far it is. It is there until
// it is imported, cancelled or taken out. No markup here.
import { createSignal, onCleanup, type Accessor } from 'solid-js';
import { ARCHIVE_PART_BYTES } from '../../../../../shared-protocol/archive-parts.js';
import type { ImportArchiveDto } from '../../../../../shared-protocol/dto/import-archives.js';
import { ApiError, call } from '../../net/http.js';
import { sendBytes } from '../../net/send-bytes.js';
import { archiveRefusalOf } from './said.js';

const PATH = '/api/import_archives';
/** The server looks at what is in it; this is what the choice of a file offers. */
export const ARCHIVE_ENDINGS = ['.zip', '.tar', '.gz', '.tgz'];

export const isArchiveName = (name: string) => ARCHIVE_ENDINGS.some((ending) => name.toLowerCase().endsWith(ending));

export type ArchiveState =
  | { readonly kind: 'none' }
  /** `sent` as large as `size`: it is being unpacked. */
  | { readonly kind: 'sending'; readonly name: string; readonly size: number; readonly sent: number }
  | { readonly kind: 'ready'; readonly name: string; readonly size: number; readonly archive: ImportArchiveDto }
  | { readonly kind: 'refused'; readonly name: string; readonly text: string };

export interface ArchiveUpload {
  readonly state: Accessor<ArchiveState>;
  /** The id of one that can be imported; null: there is none. */
  readonly id: Accessor<number | null>;
  /** Sends the file in place of the one before. */
  send(file: File): Promise<void>;
  /** Ends the sending, and has the server forget what came. */
  cancel(): void;
  /** Told that the server keeps it no more. */
  gone(text?: string): void;
}

export function createArchiveUpload(): ArchiveUpload {
  const [state, setState] = createSignal<ArchiveState>({ kind: 'none' });
  let sending = new AbortController();
  /** The part of it that the server has. */
  let received: ImportArchiveDto | null = null;
  const id = () => {
    const now = state();
    return now.kind === 'ready' ? now.archive.id : null;
  };
  const cancel = () => {
    sending.abort();
    // One that has gone meanwhile is none to forget.
    if (received) void call('DELETE', `${PATH}/${received.id}`).catch(() => undefined);
    received = null;
    setState({ kind: 'none' });
  };
  const send = async (file: File) => {
    sending.abort();
    sending = new AbortController();
    received = null;
    const { signal } = sending;
    const { name, size } = file;
    const onSent = (sent: number) => setState({ kind: 'sending', name, size, sent });
    try {
      onSent(0);
      const archive = await sendParts(file, { signal, onSent }, (part) => (received = part));
      setState({ kind: 'ready', name, size, archive });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) throw error;
      received = null;
      setState({ kind: 'refused', name, text: archiveRefusalOf(error) });
    }
  };
  onCleanup(cancel);
  return {
    ...{ state, id, send, cancel },
    gone(text) {
      const before = state();
      received = null;
      setState(
        text !== undefined && 'name' in before ? { kind: 'refused', name: before.name, text } : { kind: 'none' },
      );
    },
  };
}

async function sendParts(
  file: File,
  { signal, onSent }: { readonly signal: AbortSignal; readonly onSent: (bytes: number) => void },
  onReceived: (part: ImportArchiveDto) => void,
): Promise<ImportArchiveDto> {
  for (let last: ImportArchiveDto | null = null; ;) {
    const offset: number = last?.received_bytes ?? 0;
    // An empty file has no size to tell: the server says what it is not.
    const query: string = last ? `?id=${last.id}&offset=${offset}` : file.size > 0 ? `?size=${file.size}` : '';
    const part = file.slice(offset, offset + ARCHIVE_PART_BYTES);
    const sending = { signal, onSent: (bytes: number) => onSent(Math.min(file.size, offset + bytes)) };
    last = await sendBytes<ImportArchiveDto>(PATH + query, part, sending);
    signal.throwIfAborted();
    onReceived(last);
    if (last.state === 'ready') return last;
  }
}
