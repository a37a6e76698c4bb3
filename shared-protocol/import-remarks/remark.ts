// What a report of an import says to people: codes that stay as they are, and what the sentence of each holds beside its words. The
// page words them in its own language; a program that reads the report finds them beside the English text.
import { REASON_REMARKS } from './reasons.js';
import { SETTING_REMARKS } from './settings.js';
import { TORRENT_REMARKS } from './torrents.js';

/** The English sentences, in which `{name}` stands for what is in the data under that name; by `count` where there are two. */
export const REMARKS = { ...SETTING_REMARKS, ...REASON_REMARKS, ...TORRENT_REMARKS } as const;

export type RemarkCode = keyof typeof REMARKS;
export type RemarkValue = string | number | Remark | readonly Remark[];

export interface Remark {
  readonly code: RemarkCode;
  readonly data?: Readonly<Record<string, unknown>>;
}

type Sentence = string | { readonly one: string; readonly other: string };
type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type NamesOf<Code extends RemarkCode> = (typeof REMARKS)[Code] extends { readonly other: infer Other }
  ? NamesIn<Other>
  : NamesIn<(typeof REMARKS)[Code]>;

/** The data has just what the sentence holds; none where it holds nothing. */
export function remark<Code extends RemarkCode>(
  code: Code,
  ...[data]: [NamesOf<Code>] extends [never] ? [] : [data: Readonly<Record<NamesOf<Code>, RemarkValue>>]
): Remark {
  return data ? { code, data } : { code };
}

export function isRemark(value: unknown): value is Remark {
  return typeof value === 'object' && value !== null && 'code' in value && Object.hasOwn(REMARKS, String(value.code));
}

/** The sentence in English. */
export function textOf({ code, data = {} }: Remark): string {
  const sentence: Sentence = REMARKS[code];
  const text = typeof sentence === 'string' ? sentence : data['count'] === 1 ? sentence.one : sentence.other;
  return text.replace(/\{(\w+)\}/g, (_whole, name: string) => shown(data[name]));
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(shown).join(', ');
  return isRemark(value) ? textOf(value) : String(value);
}
