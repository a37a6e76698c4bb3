// Why a backup came to nothing, as people read it: by the code of the file system, or how its process ended. Pure.
import { worded } from '../../net/worded.js';
import { t, type TextKey } from '../../strings/index.js';

type WhyText = Extract<TextKey, `backups.why.${string}`>;

/** The first that fits. Named groups are filled in. */
const REASONS: readonly (readonly [RegExp, WhyText])[] = [
  [/^(?:ENOSPC|EDQUOT): /, 'backups.why.full'],
  [/^(?<code>EACCES|EPERM|EROFS): /, 'backups.why.denied'],
  [/^(?:EEXIST|ENOTDIR): /, 'backups.why.noFolder'],
  [/^its process has ended \((?<how>.+)\)$/, 'backups.why.ended'],
];

/** `error`: the words of the server. */
export function failureWords(error: string): string {
  for (const [pattern, text] of REASONS) {
    const found = pattern.exec(error);
    if (found) return t(text, found.groups);
  }
  return worded(error);
}
