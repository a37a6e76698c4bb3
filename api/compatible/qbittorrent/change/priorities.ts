// Priorities of files, by the numbers that qBittorrent's tools write, in the words of `/api`.
export const PRIORITIES: ReadonlyMap<string, 'skip' | 'normal' | 'high' | 'max'> = new Map([
  ['0', 'skip'],
  ['1', 'normal'],
  ['6', 'high'],
  ['7', 'max'],
] as const);
