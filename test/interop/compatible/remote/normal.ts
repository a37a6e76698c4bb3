// Lines of transmission-remote without what differs from run to run: versions, ports, rates, times, room on the disk.

const AWAY: readonly (readonly [pattern: RegExp, by: string])[] = [
  [/\b(Date added|Date started|Date finished|Latest activity): .*/, '$1: <time>'],
  [/\b(Got a list of \d+ peers) .*/, '$1 <when>'],
  [/\b(Asking for (more peers|peer counts)) .*/, '$1 <when>'],
  [/\b(Tracker had \d+ seeders and \d+ leechers) .*/, '$1 <when>'],
  [/\b(Daemon version|RPC version|RPC minimum version|Listenport|Configuration directory): .*/, '$1: <its own>'],
  [/127\.0\.0\.1:\d+/g, '<address>'],
];

/** Only there once it is a second. */
const DURATION = /^ *(Downloading Time|Seeding Time): /;

export function normal(lines: readonly string[], savePath: string): string[] {
  return lines.filter((line) => !DURATION.test(line)).map((line) => normalLine(line, savePath));
}

function normalLine(line: string, savePath: string): string {
  return AWAY.reduce((text, [pattern, by]) => text.replace(pattern, by), line.replaceAll(savePath, '<save path>'));
}
