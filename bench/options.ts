// The bench's command line: which scenarios, with which programs, how much and how often. Pure.
import { parseArgs } from 'node:util';
import { OTHER_END_NAMES, type OtherEndName } from './load/other-end.js';
import { PROGRAM_NAMES, type ProgramName } from './programs/program.js';
import { DEFAULT_SCENARIO_NAMES, SCENARIO_NAMES, SCENARIOS, type ScenarioName } from './scenarios/index.js';

const KIB = 1024;
const MOST_TORRENTS = 999_999;
const MOST_PEERS = 999;
const UNITS: Readonly<Record<string, number>> = { KiB: KIB, MiB: KIB ** 2, GiB: KIB ** 3 };

export interface BenchOptions {
  readonly scenarios: readonly ScenarioName[];
  readonly sizeBytes: number;
  readonly pieceBytes: number;
  readonly runs: number;
  /** Of each process in seed and leech. */
  readonly transfers: number;
  /** Of seed and leech: connections of the other end, ascending. */
  readonly peers: readonly number[];
  readonly programs: readonly ProgramName[];
  readonly otherEnd: OtherEndName;
  /** Of scale, compatible, import and ui: numbers of torrents, ascending. Null: each has its own. */
  readonly torrents: readonly number[] | null;
  /** Of scale: for how long an idle program is watched. */
  readonly idleSeconds: number;
  /** How long `ui` watches memory. */
  readonly minutes: number;
  /** Null: a file in the directory for temporary files. */
  readonly jsonFile: string | null;
}

export type ParsedBenchOptions =
  | { readonly kind: 'run'; readonly options: BenchOptions }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'error'; readonly message: string };

export function parseBenchOptions(args: readonly string[]): ParsedBenchOptions {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        size: { type: 'string', default: '2GiB' },
        piece: { type: 'string', default: '1MiB' },
        runs: { type: 'string', default: '5' },
        transfers: { type: 'string', default: '4' },
        peers: { type: 'string', default: '1' },
        programs: { type: 'string', default: 'swarmd,aria2,libtorrent' },
        'other-end': { type: 'string', default: 'libtorrent' },
        torrents: { type: 'string' },
        idle: { type: 'string', default: '30' },
        minutes: { type: 'string', default: '2' },
        json: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) return { kind: 'help', text: helpText() };
    const named = positionals.map((name) => oneOf(SCENARIO_NAMES, name, 'scenario'));
    const options: BenchOptions = {
      scenarios: named.length > 0 ? named : DEFAULT_SCENARIO_NAMES,
      sizeBytes: bytes(values.size, '--size'),
      pieceBytes: bytes(values.piece, '--piece'),
      runs: count(values.runs, '--runs'),
      transfers: count(values.transfers, '--transfers'),
      peers: ascending(values.peers, '--peers', MOST_PEERS),
      programs: values.programs.split(',').map((name) => oneOf(PROGRAM_NAMES, name, '--programs')),
      otherEnd: oneOf(OTHER_END_NAMES, values['other-end'], '--other-end'),
      torrents: values.torrents === undefined ? null : ascending(values.torrents, '--torrents', MOST_TORRENTS),
      idleSeconds: count(values.idle, '--idle'),
      minutes: count(values.minutes, '--minutes'),
      jsonFile: values.json ?? null,
    };
    checkSizes(options);
    checkPeers(options);
    return { kind: 'run', options };
  } catch (error) {
    return { kind: 'error', message: `bench: ${error instanceof Error ? error.message : String(error)} (see --help)` };
  }
}

/** The payload repeats after 16 MiB (support/payload.ts), so pieces must divide that. */
function checkSizes({ sizeBytes, pieceBytes }: BenchOptions): void {
  const isPiece = Number.isInteger(Math.log2(pieceBytes)) && pieceBytes >= 16 * KIB && pieceBytes <= 16 * KIB ** 2;
  if (!isPiece) throw new Error('--piece: expected a power of two from 16KiB to 16MiB');
  if (sizeBytes % (16 * KIB) !== 0) throw new Error('--size: expected whole blocks of 16KiB');
}

function checkPeers({ peers, otherEnd }: BenchOptions): void {
  if (peers.some((count) => count > 1) && otherEnd !== 'raw') {
    throw new Error('--peers: more than one connection needs --other-end raw');
  }
}

function oneOf<Name extends string>(names: readonly Name[], text: string, what: string): Name {
  const found = names.find((name) => name === text);
  if (found === undefined) throw new Error(`${what}: ${JSON.stringify(text)} is none of ${names.join(', ')}`);
  return found;
}

function bytes(text: string, flag: string): number {
  const [, number, unit = ''] = /^([1-9]\d{0,5})(KiB|MiB|GiB)$/.exec(text) ?? [];
  const factor = UNITS[unit];
  if (number === undefined || factor === undefined) throw new Error(`${flag}: expected a size like 256MiB or 2GiB`);
  return Number(number) * factor;
}

function ascending(text: string, flag: string, most: number): number[] {
  const parts = text.split(',');
  if (!parts.every((part) => /^[1-9]\d{0,5}$/.test(part) && Number(part) <= most)) {
    throw new Error(`${flag}: expected whole numbers from 1 to ${most} with commas between`);
  }
  return [...new Set(parts.map(Number))].sort((a, b) => a - b);
}

function count(text: string, flag: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new Error(`${flag}: expected a whole number from 1 to 999`);
  return Number(text);
}

function helpText(): string {
  const onRequest = SCENARIO_NAMES.filter((name) => !DEFAULT_SCENARIO_NAMES.includes(name));
  return [
    'Usage: npm run bench -- [scenario …] [options]',
    '',
    `Scenarios (default: all but ${onRequest.join(', ')}):`,
    ...SCENARIO_NAMES.map((name) => `  ${name.padEnd(22)} ${SCENARIOS[name].what}`),
    '',
    'Options:',
    '  --size SIZE            payload of seed, leech and recheck (default: 2GiB)',
    '  --piece SIZE           piece length (default: 1MiB)',
    '  --runs N               interleaved runs; medians are shown (default: 5)',
    '  --transfers N          of each process in seed and leech; the first and the last are shown (default: 4)',
    '  --peers N,…            connections of the other end in seed and leech, up to 999 (default: 1); more than one',
    '                         needs --other-end raw',
    `  --programs NAME,…      of ${PROGRAM_NAMES.join(', ')} (default: all but transmission, which`,
    '                         needs minutes for what the others do in seconds)',
    `  --other-end NAME       ${OTHER_END_NAMES.join(' or ')} (default: libtorrent)`,
    '  --torrents N,…         sizes of scale (default: 1000,3000,5000,10000,30000,100000)',
    '                         and ui (default: 10000,50000); compatible takes the largest up to 10000,',
    '                         import the largest (default: 5000)',
    '  --idle SECONDS         for how long scale watches an idle program (default: 30)',
    '  --minutes N            how long ui watches the memory of the page (default: 2)',
    '  --json FILE            where every sample is written (default: a file in the temporary directory)',
    '',
  ].join('\n');
}
