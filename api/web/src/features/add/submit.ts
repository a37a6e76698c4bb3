// Sends the sources to the server, a few at a time, and says of each what has become of it.
import type { BeginningBody } from '../../../../../shared-protocol/dto/torrents.js';
import { ApiError, call, upload } from '../../net/http.js';
import { t } from '../../strings/index.js';
import type { FileSource } from './draft.js';
import { infoHashOf, type LinkSource } from './sources.js';

export type Source = FileSource | LinkSource;

export type Result =
  | { readonly kind: 'adding' }
  | { readonly kind: 'added' }
  /** It was there before, or twice among what was sent. */
  | { readonly kind: 'existed' }
  | { readonly kind: 'failed'; readonly reason: string };

const AT_A_TIME = 4;
/** interface.md, "Limits"; larger ones would only be sent in vain. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** `known`: ids of the torrents that are there; what is added joins them. */
export async function addAll(
  sources: readonly Source[],
  beginning: BeginningBody,
  known: Set<string>,
  onResult: (source: Source, result: Result) => void,
): Promise<void> {
  const waiting = [...sources];
  const work = async () => {
    for (let source = waiting.shift(); source; source = waiting.shift()) {
      onResult(source, { kind: 'adding' });
      onResult(source, await addOne(source, beginning, known));
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
}

async function addOne(source: Source, beginning: BeginningBody, known: Set<string>): Promise<Result> {
  try {
    const expected = source.kind === 'magnet' ? infoHashOf(source.link) : null;
    const id = (await send(source, beginning)) ?? expected;
    if (id === null) return { kind: 'added' };
    if (known.has(id)) return { kind: 'existed' };
    known.add(id);
    return { kind: 'added' };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind: 'failed', reason: error.message };
  }
}

/** Its id; null where the server does not say. */
async function send(source: Source, beginning: BeginningBody): Promise<string | null> {
  switch (source.kind) {
    case 'magnet':
      return (await call<{ id: string }>('POST', '/api/torrents/magnet', { magnet: source.link, ...beginning })).id;
    case 'url':
      await call('POST', '/api/torrents/url', { url: source.link, ...beginning });
      return null;
    case 'file':
      if (source.file.size > MAX_FILE_BYTES) throw new ApiError(0, t('add.tooLarge'));
      return (await upload<{ id: string }>('/api/torrents/file', formOf(source.file, beginning))).id;
  }
}

function formOf(file: File, beginning: BeginningBody): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(beginning)) {
    if (value !== null && value !== undefined) form.set(name, String(value));
  }
  form.set('file', file);
  return form;
}
