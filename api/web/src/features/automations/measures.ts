// Numbers of conditions as people write them: with a unit in which they are short, and back to what the server compares. Pure.
import type { Condition, Measure } from '../../../../../shared-protocol/dto/automations.js';
import { bytes, count, duration, percent, rate, ratio } from '../../format/quantities.js';
import { t } from '../../strings/index.js';
import { number, type Reading } from '../settings/codecs.js';

export type MeasureKind = 'ratio' | 'bytes' | 'rate' | 'span' | 'progress' | 'count';
export type MeasureCondition = Extract<Condition, { readonly field: Measure }>;

export const KIND_OF: Readonly<Record<Measure, MeasureKind>> = {
  ratio: 'ratio',
  uploaded: 'bytes',
  downloaded: 'bytes',
  size: 'bytes',
  progress: 'progress',
  age: 'span',
  completed_age: 'span',
  seeding_time: 'span',
  inactive_time: 'span',
  download_rate: 'rate',
  upload_rate: 'rate',
  swarm_seeds: 'count',
  swarm_leechers: 'count',
  free_space: 'bytes',
  torrents: 'count',
};

export const isMeasure = (field: string): field is Measure => field in KIND_OF;

export interface Unit {
  readonly name: string;
  /** How many of what the server counts in. */
  readonly factor: number;
}

const KIB = 1024;
const BYTES: readonly Unit[] = ['B', 'KiB', 'MiB', 'GiB', 'TiB'].map((name, power) => ({ name, factor: KIB ** power }));
const RATES: readonly Unit[] = BYTES.slice(0, 4).map(({ name, factor }) => ({ name: `${name}/s`, factor }));
const SPANS = [
  { name: 'minutes', factor: 1 },
  { name: 'hours', factor: 60 },
  { name: 'days', factor: 1_440 },
] as const satisfies readonly Unit[];
export type SpanName = (typeof SPANS)[number]['name'];

/** From the smallest to the largest; a kind without units has one without a name. */
export function unitsOf(kind: MeasureKind): readonly Unit[] {
  switch (kind) {
    case 'bytes':
      return BYTES;
    case 'rate':
      return RATES;
    case 'span':
      return SPANS;
    case 'progress':
      return [{ name: '%', factor: 1 / 100 }];
    default:
      return [{ name: '', factor: 1 }];
  }
}

/** The unit with which a value is begun. */
export const firstUnitOf: Readonly<Record<MeasureKind, string>> = {
  ratio: '',
  bytes: 'GiB',
  rate: 'KiB/s',
  span: 'days',
  progress: '%',
  count: '',
};

export function unitText(name: string): string {
  return SPANS.some((unit) => unit.name === name) ? t(`automations.unit.${name as SpanName}`) : name;
}

export interface TypedNumber {
  readonly text: string;
  readonly unit: string;
}

/** In the largest unit of which it is at least one, with two decimals at most. */
export function typedOf(kind: MeasureKind, value: number): TypedNumber {
  const fitting = unitsOf(kind).filter(({ factor }) => value >= factor && Number.isInteger((value * 100) / factor));
  const unit = (value > 0 ? fitting.at(-1) : undefined) ?? unitNamed(kind, value > 0 ? '' : firstUnitOf[kind]);
  // A hundredth is not exact.
  return { text: String(Number((value / unit.factor).toPrecision(12))), unit: unit.name };
}

export function readNumber(kind: MeasureKind, { text, unit }: TypedNumber): Reading<number> {
  const { factor } = unitNamed(kind, unit);
  const read = number({ isWhole: kind === 'count', ...(kind === 'progress' && { max: 100 }) }).read(text);
  if ('problem' in read) return read;
  const value = read.value * factor;
  if (kind === 'ratio') return { value };
  return { value: kind === 'progress' ? Number(value.toPrecision(12)) : Math.round(value) };
}

function unitNamed(kind: MeasureKind, name: string): Unit {
  const units = unitsOf(kind);
  return units.find((unit) => unit.name === name) ?? units[0]!;
}

const MINUTE_S = 60;

/** Within a sentence. */
export function wordsOfNumber({ field, value }: MeasureCondition): string {
  switch (KIND_OF[field]) {
    case 'ratio':
      return ratio(value);
    case 'bytes':
      return bytes(value);
    case 'rate':
      return rate(value) || '0 B/s';
    case 'span':
      return duration(value * MINUTE_S);
    case 'progress':
      return percent(value);
    case 'count':
      return count(value);
  }
}
