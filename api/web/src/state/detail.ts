// The details of the torrent that is looked at, put together of what the worker says is different: what did not change
// stays the same object, so that nothing that depends on it is done again.
import type { DetailDto, FileDto } from '../../../../shared-protocol/dto/inspector.js';
import type { DetailChange } from '../live/messages.js';

export class Detail {
  #id = '';
  #files: FileDto[] = [];

  /** Returns the details with the change made. */
  apply({ detail, files }: DetailChange): DetailDto {
    if (detail.id !== this.#id) this.#files = [];
    this.#id = detail.id;
    if (!files) return detail;
    if (files.kind === 'all') this.#files = [...files.files];
    else if (files.files.length > 0) this.#files = replaced(this.#files, files.files);
    return { ...detail, files: this.#files };
  }
}

/** A file that is not there is none: lists of another shape come whole. */
function replaced(files: readonly FileDto[], changed: readonly FileDto[]): FileDto[] {
  const now = [...files];
  for (const file of changed) now[file.index] = file;
  return now;
}
