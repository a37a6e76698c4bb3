// How torrents begin beyond where and in which category, as it is chosen: what is left as it is is not sent. Pure.
import type { AddingBody } from '../../../../../shared-protocol/dto/adding.js';
import { CONTENT_LAYOUTS } from '../../../../../shared-protocol/content-layout.js';
import { readRatio, readWhole } from '../details/limit-numbers.js';

export const MARKS = ['top', 'forced', 'firstLast', 'skipCheck'] as const;
export type Mark = (typeof MARKS)[number];
export const NUMBERS = ['down', 'up', 'ratio'] as const;
export type NumberName = (typeof NUMBERS)[number];
export const LAYOUTS = CONTENT_LAYOUTS;
export const STOPS = ['metadata', 'check'] as const;

export interface Options {
  readonly marks: Readonly<Record<Mark, boolean>>;
  readonly numbers: Readonly<Record<NumberName, string>>;
  readonly layout: (typeof LAYOUTS)[number] | '';
  readonly stop: (typeof STOPS)[number] | '';
}

export const NO_OPTIONS: Options = {
  marks: { top: false, forced: false, firstLast: false, skipCheck: false },
  numbers: { down: '', up: '', ratio: '' },
  layout: '',
  stop: '',
};

function limitOf(name: NumberName, text: string): number | null | 'wrong' {
  const typed = name === 'ratio' ? readRatio(text) : readWhole(text);
  return typed.kind === 'limit' ? typed.limit : 'wrong';
}

export function isWrong(name: NumberName, { numbers }: Options): boolean {
  return limitOf(name, numbers[name]) === 'wrong';
}

export function bodyOf({ marks, numbers, layout, stop }: Options): AddingBody {
  const [down, up, ratio] = NUMBERS.map((name) => Number(limitOf(name, numbers[name]) ?? 0)) as [
    number,
    number,
    number,
  ];
  return {
    ...(marks.top && { queue_position: 'top' as const }),
    ...(marks.forced && { force_start: true }),
    ...(marks.firstLast && { first_last_first: true }),
    ...(marks.skipCheck && { skip_check: true }),
    ...((numbers.down.trim() !== '' || numbers.up.trim() !== '') && { rate_limits: { down_kbps: down, up_kbps: up } }),
    ...(numbers.ratio.trim() !== '' && { seeding_rule: { ratio_limit: ratio } }),
    ...(layout !== '' && { content_layout: layout }),
    ...(stop !== '' && { stop_after: stop }),
  };
}
