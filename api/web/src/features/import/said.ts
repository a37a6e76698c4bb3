// What the server says about an import, in the words of the page.
import type { ImportSource } from '../../../../../shared-protocol/dto/imports.js';
import { bytes, count, inert } from '../../format/quantities.js';
import { worded } from '../../net/worded.js';
import { t } from '../../strings/index.js';

export interface Refusal {
  /** Whether it is about the folder or the archive. */
  readonly isOfSource: boolean;
  readonly text: string;
}

export function refusalOf(said: string, from: ImportSource): Refusal {
  const ofSource = (text: string): Refusal => ({ isOfSource: true, text });
  const program = t(`imports.programs.${from}`);
  const noDirectory = /^path: (.*) is no directory that can be read$/s.exec(said);
  if (noDirectory) return ofSource(t('imports.said.noDirectory', { path: noDirectory[1]! }));
  const running = /\(process (\d+)\) seems to run on it/.exec(said);
  if (running) return ofSource(t('imports.said.running', { program, pid: running[1]! }));
  if (said === 'path: lies outside of --import-paths') return ofSource(t('imports.said.outside'));
  if (/^path: there is no (?:BT_backup|directory of|state of|session of)/.test(said))
    return ofSource(t('imports.said.nothing', { program }));
  if (/^archive: there is no (?:BT_backup|directory of|state of|session of)/.test(said))
    return ofSource(t('imports.said.nothingInArchive', { program }));
  if (/^(?:path|archive): more than/.test(said)) return ofSource(t('imports.said.tooMany'));
  if (said.startsWith('import: another one')) return { isOfSource: false, text: t('imports.said.another') };
  return { isOfSource: /^(?:path|archive): /.test(said), text: worded(said) };
}

/** Whether the server has the archive no more: it was kept for an hour, or another one came in its place. */
export function isArchiveGone(said: string): boolean {
  return said === 'archive not found';
}

/** The sentence about an archive that the server does not take. */
export function archiveRefusalOf(said: string): string {
  for (const [pattern, text] of ARCHIVE_REFUSALS) {
    const found = pattern.exec(said)?.groups;
    if (!found) continue;
    const size = found['bytes'] === undefined ? '' : bytes(Number(found['bytes']));
    const entries = found['entries'] === undefined ? '' : count(Number(found['entries']));
    return t(text, { name: inert(found['name'] ?? ''), reason: found['reason'] ?? '', size, entries });
  }
  return worded(said);
}

const ARCHIVE_REFUSALS = [
  [/^archive: is (?:neither)(?<reason>)/, 'imports.said.noArchive'],
  [/^archive: holds (?:nothing|no tar)(?<reason>)/, 'imports.said.emptyArchive'],
  [/^archive: is larger than (?<bytes>\d+) bytes$/, 'imports.said.archiveTooLarge'],
  [/^archive: is larger than (?<bytes>\d+) bytes when unpacked$/, 'imports.said.archiveTooLargeUnpacked'],
  [/^archive: holds more than (?<entries>\d+) entries$/, 'imports.said.archiveTooMany'],
  [/^archive: (?<name>".*") is a (?:symbolic|hard) link,/s, 'imports.said.archiveLink'],
  [/^archive: (?<name>".*") (?:leads out of the archive|is an absolute path)$/s, 'imports.said.archivePathOut'],
  [/^archive: (?<name>".*") is encrypted$/s, 'imports.said.archiveEncrypted'],
  [/^archive: cannot be read: (?<reason>.*)$/s, 'imports.said.archiveBroken'],
  [/^archive: another one of yours(?<reason>)/, 'imports.said.archiveOther'],
  [/^archive: \d+ are here(?<reason>)/, 'imports.said.archivesFull'],
] as const;
