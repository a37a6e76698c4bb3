// Remarks of a report in the language of the page. Pure.
import { isRemark } from '../../../../../shared-protocol/import-remarks/remark.js';
import { isReasonCode } from '../../../../../shared-protocol/reasons.js';
import { inert } from '../../format/quantities.js';
import type { ToldReason } from '../../net/reason-text.js';
import { worded } from '../../net/worded.js';
import { t } from '../../strings/index.js';

/** A remark as a server of any version tells it. */
export interface ToldRemark {
  readonly code: string;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/** `text`: the same in English, which is shown where the page has no sentence for it. */
export function remarkWords(remark: ToldRemark | null | undefined, text: string): string {
  return wordsOf(remark) ?? inert(text);
}

/** One that stands by itself, from a capital on. */
export function remarkSentence(remark: ToldRemark | null | undefined, text: string): string {
  const words = wordsOf(remark);
  // What was refused is worded already.
  if (words !== null && remark?.code === 'AS_REFUSED') return words;
  return worded(words ?? inert(text));
}

/** `en`: it can be told in the words of the server alone. */
export function remarkLanguage(remark: ToldRemark | null | undefined): 'en' | undefined {
  const isRefusal = remark?.code === 'AS_REFUSED';
  return wordsOf(remark) === null || (isRefusal && !isReasonCode(remark.data?.['reason'])) ? 'en' : undefined;
}

/** null: it, or one in it, is of a later version. */
function wordsOf(remark: unknown): string | null {
  if (!isRemark(remark)) return null;
  const { code, data = {} } = remark;
  if (code === 'AS_REFUSED') return refusalWords(data);
  const values: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(data)) {
    const shown = shownValue(value);
    if (shown === null) return null;
    values[name] = shown;
  }
  return t(`importRemarks.${code}`, values);
}

function shownValue(value: unknown): string | number | null {
  if (typeof value === 'number') return value;
  if (Array.isArray(value)) {
    const words = value.map(wordsOf);
    return words.includes(null) ? null : words.join(', ');
  }
  return typeof value === 'object' ? wordsOf(value) : inert(String(value));
}

function refusalWords({ text, reason, facts }: Readonly<Record<string, unknown>>): string {
  const told: ToldReason = isReasonCode(reason) ? { code: reason, data: facts as ToldReason['data'] } : {};
  return inert(worded(String(text), told));
}
