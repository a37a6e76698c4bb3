// What is different between the details of one tick and the next: of ten thousand files only those that have changed. Pure.
import type { DetailDto, FileDto } from '../../../../shared-protocol/dto/inspector.js';
import type { DetailChange } from './messages.js';

export class DetailDiff {
  #id = '';
  #files: readonly FileDto[] | null = null;

  next({ files, ...detail }: DetailDto): DetailChange {
    const before = detail.id === this.#id ? this.#files : null;
    this.#id = detail.id;
    this.#files = files ?? before;
    if (!files) return { detail, files: null };
    if (!before || !isSameShape(before, files)) return { detail, files: { kind: 'all', files } };
    return { detail, files: { kind: 'some', files: files.filter((file, at) => !isSame(file, before[at]!)) } };
  }
}

function isSameShape(a: readonly FileDto[], b: readonly FileDto[]): boolean {
  return a.length === b.length && a.every(({ path, index }, at) => path === b[at]!.path && index === at);
}

/** By the fields of the newer one. */
function isSame(file: FileDto, before: FileDto): boolean {
  for (const key in file) {
    const field = key as keyof FileDto; // the keys of the object itself
    if (file[field] !== before[field]) return false;
  }
  return true;
}
