// What the server says about an import, in the words of the page.
import type { ImportSource } from '../../../../../shared-protocol/dto/imports.js';
import type { ReasonCode } from '../../../../../shared-protocol/reasons.js';
import { bytes, count, inert } from '../../format/quantities.js';
import type { ApiError } from '../../net/api-error.js';
import { t, type TextKey } from '../../strings/index.js';

export interface Refusal {
  /** Whether it is about the folder or the archive. */
  readonly isOfSource: boolean;
  readonly text: string;
}

type Said = Pick<ApiError, 'said' | 'message' | 'reason'>;

export function refusalOf({ said, message, reason: { code, data = {} } }: Said, from: ImportSource): Refusal {
  const ofSource = (text: string): Refusal => ({ isOfSource: true, text });
  const program = t(`imports.programs.${from}`);
  switch (code) {
    case 'IMPORT_SOURCE_UNREADABLE':
      return ofSource(t('imports.said.noDirectory', { path: inert(String(data['path'])) }));
    case 'IMPORT_SOURCE_IN_USE':
      return ofSource(t('imports.said.running', { program, pid: String(data['pid']) }));
    case 'IMPORT_OUTSIDE':
      return ofSource(t('imports.said.outside'));
    case 'IMPORT_NOTHING_THERE':
      return ofSource(
        t(fieldOf(said) === 'archive' ? 'imports.said.nothingInArchive' : 'imports.said.nothing', { program }),
      );
    case 'IMPORT_TOO_LARGE':
      return ofSource(t('imports.said.tooMany', { max: Number(data['max']) }));
    case 'QUOTA_EXCEEDED':
      if (data['of'] === 'imports') return { isOfSource: false, text: t('imports.said.another') };
  }
  return { isOfSource: fieldOf(said) === 'path' || fieldOf(said) === 'archive', text: message };
}

/** The sentence about an archive that the server does not take. */
export function archiveRefusalOf({ message, reason: { code, data = {} } }: Said): string {
  if (code === 'QUOTA_EXCEEDED' && data['of'] === 'own archives') return t('imports.said.archiveOther');
  if (code === 'QUOTA_EXCEEDED' && data['of'] === 'archives') return t('imports.said.archivesFull');
  const text = ARCHIVE_REFUSALS[code as keyof typeof ARCHIVE_REFUSALS] as TextKey | undefined;
  if (text === undefined) return message;
  const max = Number(data['max']);
  const name = `"${inert(String(data['name']))}"`;
  return t(text, { name, detail: String(data['detail']), size: bytes(max), entries: count(max) });
}

const ARCHIVE_REFUSALS = {
  ARCHIVE_FORMAT: 'imports.said.noArchive',
  ARCHIVE_EMPTY: 'imports.said.emptyArchive',
  ARCHIVE_TOO_LARGE: 'imports.said.archiveTooLarge',
  ARCHIVE_UNPACKED_TOO_LARGE: 'imports.said.archiveTooLargeUnpacked',
  ARCHIVE_TOO_MANY_ENTRIES: 'imports.said.archiveTooMany',
  ARCHIVE_LINK: 'imports.said.archiveLink',
  ARCHIVE_PATH: 'imports.said.archivePathOut',
  ARCHIVE_ENCRYPTED: 'imports.said.archiveEncrypted',
  ARCHIVE_UNREADABLE: 'imports.said.archiveBroken',
} as const satisfies { readonly [Code in ReasonCode]?: TextKey };

function fieldOf(said: string): string {
  return /^(\w+): /.exec(said)?.[1] ?? '';
}
