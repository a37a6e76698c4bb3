// What a program did to files, read from strace's log (`-f -y -xx`): which call began and ended at which line. A sync
// covers what had ended before it began, so both lines matter.

const UNFINISHED = ' <unfinished ...>';
const HEX = /(?:\\x[0-9a-f]{2})+/g;

export interface TracedCall {
  readonly name: string;
  /** Arguments as strace writes them, strings and paths in `\x` notation. */
  readonly args: string;
  /** Without what strace says of it. */
  readonly result: number;
  /** Path of a descriptor that it returned; empty for none. */
  readonly resultPath: string;
  /** Lines of the log, from 0. */
  readonly begin: number;
  /** null: that it has begun is all that is known at this line. */
  readonly end: number | null;
}

/** Calls as they end, and before as they begin where that is another line. Failed ends are left out. @throws on the unknown */
export function* readTrace(log: string): Iterable<TracedCall> {
  const unfinished = new Map<string, { readonly text: string; readonly begin: number }>();
  let line = -1;
  for (const raw of log.split('\n')) {
    line++;
    const [, thread = '', text = ''] = /^(\d+)\s+(.*)$/.exec(raw) ?? [];
    if (text.endsWith(UNFINISHED)) {
      const begun = text.slice(0, -UNFINISHED.length);
      unfinished.set(thread, { text: begun, begin: line });
      const open = begun.indexOf('(');
      yield {
        name: begun.slice(0, open),
        args: begun.slice(open + 1),
        result: 0,
        resultPath: '',
        begin: line,
        end: null,
      };
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>/.exec(text);
    const started = resumed ? unfinished.get(thread) : undefined;
    const whole = resumed ? `${started?.text ?? ''}${text.slice(resumed[0].length)}` : text;
    const call = parseCall(whole);
    if (call) yield { ...call, begin: started?.begin ?? line, end: line };
  }
}

/** null for what is no call, or one without success. */
function parseCall(text: string): Omit<TracedCall, 'begin' | 'end'> | null {
  if (text === '' || /^(\+\+\+|---|<\.\.\.)/.test(text)) return null;
  const open = text.indexOf('(');
  // strace pads short calls with blanks. Paths and strings are in hexadecimal: no parenthesis of theirs gets in.
  const close = text.lastIndexOf(')');
  const [, result, resultPath = ''] = /^\)\s+= (\d+)(?:<([^>]*)>)?/.exec(text.slice(close)) ?? [];
  if (result !== undefined && open > 0) {
    const args = text.slice(open + 1, close);
    return { name: text.slice(0, open), args, result: Number(result), resultPath: decodeText(resultPath) };
  }
  if (/= (-1 \w+ \(.*\)|\?.*)$/.test(text.slice(-200))) return null;
  throw new Error(`trace not understood: ${text.slice(0, 100)} ${text.slice(-100)}`);
}

/** The descriptor that is the first argument, and its path. */
export function descriptorOf({ args }: TracedCall): { readonly fd: number; readonly path: string } {
  const [, fd = '-1', path = ''] = /^(\d+)<([^>]*)>/.exec(args) ?? [];
  return { fd: Number(fd), path: decodeText(path) };
}

/** Quoted strings among the arguments, decoded, in order. */
export function stringsOf({ args }: TracedCall): Buffer[] {
  return [...args.matchAll(/"([^"]*)"/g)].map(([, text = '']) => decodeBytes(text));
}

/** The arguments behind the first one that are plain numbers. */
export function numbersOf({ args }: TracedCall): number[] {
  return [...args.matchAll(/, (-?\d+)(?=,|$)/g)].map(([, number]) => Number(number));
}

function decodeText(text: string): string {
  return text.replace(HEX, (hex) => decodeBytes(hex).toString());
}

function decodeBytes(hex: string): Buffer {
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex');
}
