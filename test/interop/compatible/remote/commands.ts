// Command lines of transmission-remote, in an order that gives each something to do. Torrent 1 is `alpha`, 2 `beta`,
// 3 `gamma`, in the order in which they are added.
import { STATUS } from '../transmission/scene.js';

export interface Places {
  readonly savePath: string;
  /** Torrent files by name of the sample. */
  readonly files: Readonly<Record<'alpha' | 'beta' | 'gamma', string>>;
  /** Of `alpha`. */
  readonly hash: string;
}

export interface Command {
  readonly line: (places: Places) => readonly string[];
  /** A torrent, and its status once the command has had its effect. */
  readonly until?: readonly [torrent: 'alpha' | 'beta' | 'gamma', status: number];
  /** Not before the tracker of `alpha` has been announced to and scraped. */
  readonly isAfterAnnounce?: boolean;
}

const TRACKER = 'http://127.0.0.1:9/announce/2';

function plain(...line: readonly string[]): Command {
  return { line: () => line };
}

export const COMMANDS: readonly Command[] = [
  plain('-si'),
  { line: ({ files }) => ['-a', files.alpha], until: ['alpha', STATUS.seeding] },
  { line: ({ files }) => ['-a', files.alpha] },
  plain('--start-paused'),
  { line: ({ files, savePath }) => ['-a', files.beta, '-w', savePath], until: ['beta', STATUS.stopped] },
  { line: ({ files, savePath }) => ['-a', files.gamma, '-w', `${savePath}/own`], until: ['gamma', STATUS.stopped] },
  plain('--no-start-paused'),
  plain('-l'),
  plain('-t', 'all', '-l'),
  plain('-t', '1', '-i'),
  plain('-t', '2', '-i'),
  { line: ({ hash }) => ['-t', hash, '-i'] },
  plain('-t', '99', '-i'),
  plain('-t', '2', '-if'),
  plain('-t', '1', '-ip'),
  plain('-t', '1', '-ic'),
  { line: () => ['-t', '1', '-it'], isAfterAnnounce: true },
  plain('-t', '2', '-G', '1'),
  plain('-t', '2', '-f'),
  plain('-t', '2', '-g', 'all'),
  plain('-t', '2', '-ph', '0'),
  plain('-t', '2', '-pl', '1,2'),
  plain('-t', '2', '-f'),
  plain('-t', '2', '-pn', 'all'),
  plain('-t', '2', '-d', '100'),
  plain('-t', '2', '-u', '50'),
  plain('-t', '2', '-sr', '1.5'),
  plain('-t', '2', '-L', 'hd,late'),
  plain('-t', '2', '-i'),
  plain('-t', '2', '-D'),
  plain('-t', '2', '-U'),
  plain('-t', '2', '-SR'),
  plain('-t', '2', '-srd'),
  plain('-t', '2', '-td', TRACKER),
  plain('-t', '2', '-it'),
  plain('-t', '2', '-tr', '99'),
  plain('-t', '2', '-Bh'),
  plain('-t', '2', '-HL'),
  plain('-t', '2', '-pr', '20'),
  plain('-t', '2', '-i'),
  { line: () => ['-t', '1', '-S'], until: ['alpha', STATUS.stopped] },
  plain('-l'),
  { line: () => ['-t', '1', '-s'], until: ['alpha', STATUS.seeding] },
  { line: () => ['-t', '1', '-v'], until: ['alpha', STATUS.seeding] },
  plain('-t', '1', '--reannounce'),
  plain('-d', '500'),
  plain('-u', '200'),
  plain('-asd', '50'),
  plain('-asu', '40'),
  plain('-as'),
  plain('-gsr', '2'),
  plain('-si'),
  plain('-D'),
  plain('-U'),
  plain('-AS'),
  plain('-GSR'),
  plain('-X'),
  plain('-x'),
  { line: ({ savePath }) => ['-t', '2', '--move', `${savePath}/moved`] },
  { line: ({ savePath }) => ['-t', '3', '--find', savePath] },
  plain('-t', '3', '--move', 'somewhere'),
  plain('-t', '3', '-r'),
  plain('-t', '1', '-rad'),
  plain('-t', '99', '-r'),
  plain('-l'),
  plain('-a', '/nonexistent/a.torrent'),
  plain('-a', 'magnet:?xt=nonsense'),
];
