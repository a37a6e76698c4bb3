// Which files of a torrent are wanted, and how much. A file is named by its place in the list that `files` shows, in which
// pad files (BEP 47) are not; an empty list names all.
import type { FileDetail, FilePriority } from '../../../../shared-protocol/commands/details.js';
import { AppError } from '../../../../shared-protocol/errors.js';
import { RequestError } from '../../../errors.js';
import type { Arguments } from '../arguments.js';
import type { Call } from '../row.js';
import { filesOf } from './large.js';
import type { Judge } from './judge.js';

/** How much a file is wanted, if it is. */
interface Choice {
  readonly isWanted: boolean;
  readonly priority: Exclude<FilePriority, 'skip'>;
}
type ChangeOfChoice = (before: Choice) => Choice;

/** In the order in which Transmission looks at them. There is no priority below the usual one. */
const CHANGES: Readonly<Record<string, ChangeOfChoice>> = {
  files_unwanted: (before) => ({ ...before, isWanted: false }),
  files_wanted: (before) => ({ ...before, isWanted: true }),
  priority_high: (before) => ({ ...before, priority: 'high' }),
  priority_low: (before) => ({ ...before, priority: 'normal' }),
  priority_normal: (before) => ({ ...before, priority: 'normal' }),
};

/** The changes to each place that is named; `all` to every one. */
export interface FileChanges {
  readonly change: ChangeOfChoice;
  readonly places: readonly number[];
}

/** @throws RequestError `BODY_INVALID` */
function fileChangesIn(args: Arguments): FileChanges[] {
  return Object.entries(CHANGES).flatMap(([name, change]) => {
    const places = args.integers(name);
    return places ? [{ change, places: [...new Set(places)] }] : [];
  });
}

export function setFiles({ args }: Call): Judge | null {
  const changes = fileChangesIn(args);
  if (changes.length === 0) return null;
  return async ({ services, share, torrent }) => {
    const priorities = prioritiesAfter(await filesOf(services, share, torrent), changes);
    return () => services.library.setFilePriorities(share, priorities);
  };
}

/** The priorities that are others afterwards, by the index of the file. @throws AppError `FILE_INDEX_INVALID` */
function prioritiesAfter(
  files: readonly Pick<FileDetail, 'index' | 'priority'>[],
  changes: readonly FileChanges[],
): Record<number, FilePriority> {
  const choices = files.map(({ priority }) => choiceOf(priority));
  for (const { change, places } of changes) {
    for (const place of places.length > 0 ? places : choices.keys()) {
      const before = choices[place];
      if (!before) throw new AppError('FILE_INDEX_INVALID', 'file index out of range');
      choices[place] = change(before);
    }
  }
  const after = choices.map(({ isWanted, priority }): FilePriority => (isWanted ? priority : 'skip'));
  const changed = files.flatMap(({ index, priority }, place) =>
    after[place] === priority ? [] : [[index, after[place]!] as const],
  );
  return Object.fromEntries(changed);
}

function choiceOf(priority: FilePriority): Choice {
  return priority === 'skip' ? { isWanted: false, priority: 'normal' } : { isWanted: true, priority };
}

/** More places than an add may name of files that are not known yet. */
const MAX_WISHES = 1_000;

/**
 * The priorities of an add, where an empty list names no file. `files` is null for what is not there yet: a place is then
 * taken for the index. @throws RequestError `BODY_INVALID`; AppError `FILE_INDEX_INVALID`
 */
export function wishedPriorities(
  args: Arguments,
  files: readonly { readonly index: number }[] | null,
): Record<number, FilePriority> | undefined {
  const changes = fileChangesIn(args).filter(({ places }) => places.length > 0);
  if (changes.length === 0) return undefined;
  const named = [...new Set(changes.flatMap(({ places }) => places))];
  if (!files && (named.length > MAX_WISHES || named.some((place) => place < 0))) {
    throw new RequestError('BODY_INVALID', `files: at most ${MAX_WISHES}, from 0`);
  }
  const known = files ?? named.map((index) => ({ index }));
  const placeOf = new Map(named.map((place, at) => [place, at]));
  const inOrder = files
    ? changes
    : changes.map(({ change, places }) => ({ change, places: places.map((place) => placeOf.get(place)!) }));
  return prioritiesAfter(
    known.map(({ index }) => ({ index, priority: 'normal' })),
    inOrder,
  );
}
