// Sends the sources to the server, a few at a time, and says of each what has become of it.
import type { AddingBody } from '../../../../../shared-protocol/dto/adding.js';
import type { AddedByUrlDto } from '../../../../../shared-protocol/dto/torrents.js';
import { ApiError, call, upload } from '../../net/http.js';
import { t } from '../../strings/index.js';
import type { FileSource } from './draft.js';
import type { LinkSource } from './sources.js';

export type Source = FileSource | LinkSource;

export type Result =
  | { readonly kind: 'adding' }
  | { readonly kind: 'added' }
  /** The torrent was there before, or twice among what was sent. */
  | { readonly kind: 'existed' }
  /** `field`: which one the server names; '' for none. */
  | { readonly kind: 'failed'; readonly reason: string; readonly field: string };

const AT_A_TIME = 4;
/** docs/api.md, "Limits"; larger ones would only be sent in vain. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** `known`: ids of the torrents that are there; what is added joins them. */
export async function addAll(
  sources: readonly Source[],
  beginningOf: (source: Source) => AddingBody,
  known: Set<string>,
  onResult: (source: Source, result: Result) => void,
): Promise<void> {
  const waiting = [...sources];
  const work = async () => {
    for (let source = waiting.shift(); source; source = waiting.shift()) {
      onResult(source, { kind: 'adding' });
      onResult(source, await addOne(source, beginningOf(source), known));
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
}

async function addOne(source: Source, beginning: AddingBody, known: Set<string>): Promise<Result> {
  try {
    return { kind: (await wasThere(source, beginning, known)) ? 'existed' : 'added' };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind: 'failed', reason: error.message, field: /^(\w+): /.exec(error.said)?.[1] ?? '' };
  }
}

async function wasThere(source: Source, beginning: AddingBody, known: Set<string>): Promise<boolean> {
  switch (source.kind) {
    case 'magnet':
      return joins(await call('POST', '/api/torrents/magnet', { magnet: source.link, ...beginning }), known);
    case 'url':
      // Told, as its id is not.
      return (
        (await call<AddedByUrlDto>('POST', '/api/torrents/url', { url: source.link, ...beginning })).existed ?? false
      );
    case 'file':
      if (source.file.size > MAX_FILE_BYTES) throw new ApiError(0, t('add.tooLarge'));
      return joins(await upload('/api/torrents/file', formOf(source.file, beginning)), known);
  }
}

/** Whether it was among them before. */
function joins({ id }: { readonly id: string }, known: Set<string>): boolean {
  if (known.has(id)) return true;
  known.add(id);
  return false;
}

/** Lists and objects go as JSON. */
function formOf(file: File, beginning: AddingBody): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(beginning)) {
    if (value === null || value === undefined) continue;
    form.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  form.set('file', file);
  return form;
}
