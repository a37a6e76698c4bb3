// The few pictures of the interface: strokes of one weight in the colour of the text beside them.
import type { JSX } from 'solid-js';

const PATHS = {
  add: 'M12 5v14M5 12h14',
  warning: 'M12 4 2.5 20h19zM12 10v5M12 17.5h.01',
  pause: 'M8 5v14M16 5v14',
  resume: 'M7 5l12 7-12 7z',
  remove: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 21 21',
  down: 'M12 4v15M6 13l6 6 6-6',
  up: 'M12 20V5M6 11l6-6 6 6',
  idleDown: 'M6 9l6 6 6-6',
  idleUp: 'M6 15l6-6 6 6',
  move: 'M4 12h15M13 6l6 6-6 6',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2',
  magnet: 'M5 4v8a7 7 0 0 0 14 0V4h-4v8a3 3 0 0 1-6 0V4zM5 8h4M15 8h4',
  slow: 'M4 17a8 8 0 1 1 16 0M12 17l-4-5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 4-6 8-6s8 2 8 6',
  settings:
    'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.1 2.1M16.3 16.3l2.1 2.1M18.4 5.6l-2.1 2.1M7.7 16.3l-2.1 2.1',
  feed: 'M5 19h.01M5 12a7 7 0 0 1 7 7M5 5a14 14 0 0 1 14 14',
  chart: 'M4 4v16h16M8 16v-4M12.5 16V8M17 16v-6',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21h4',
  done: 'M5 13l5 5L20 7',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  edit: 'M4 20h4L19 9l-4-4L4 16z',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  view: 'M6 4h12v17l-6-4-6 4z',
  columns: 'M4 5h16v14H4zM10 5v14M15 5v14',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon(props: { readonly name: IconName; readonly size?: number }): JSX.Element {
  return (
    <svg
      width={props.size ?? 18}
      height={props.size ?? 18}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[props.name]} />
    </svg>
  );
}
