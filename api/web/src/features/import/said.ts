// What the server says about an import, in the words of the page.
import type { ImportSource } from '../../../../../shared-protocol/dto/imports.js';
import { worded } from '../../net/worded.js';
import { t } from '../../strings/index.js';

export interface Refusal {
  /** Whether it is about the path. */
  readonly isOfPath: boolean;
  readonly text: string;
}

export function refusalOf(said: string, from: ImportSource): Refusal {
  const ofPath = (text: string): Refusal => ({ isOfPath: true, text });
  const program = t(`imports.programs.${from}`);
  const noDirectory = /^path: (.*) is no directory that can be read$/s.exec(said);
  if (noDirectory) return ofPath(t('imports.said.noDirectory', { path: noDirectory[1]! }));
  const running = /\(process (\d+)\) seems to run on it/.exec(said);
  if (running) return ofPath(t('imports.said.running', { program, pid: running[1]! }));
  if (said === 'path: lies outside of --import-paths') return ofPath(t('imports.said.outside'));
  if (/^path: there is no (?:BT_backup|directory of|state of|session of)/.test(said))
    return ofPath(t('imports.said.nothing', { program }));
  if (/^path: more than/.test(said)) return ofPath(t('imports.said.tooMany'));
  if (said.startsWith('import: another one')) return { isOfPath: false, text: t('imports.said.another') };
  return { isOfPath: said.startsWith('path: '), text: worded(said) };
}
