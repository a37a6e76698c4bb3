// The configuration of qBittorrent: Qt's INI format, as far as values are read from it here.

/** Values by `Section/Key`, with `\` in keys as they are written. */
export interface IniValues {
  get(key: string): string | undefined;
  /** The elements of a list; none where there is none. */
  list(key: string): string[];
}

export function readIni(text: string): IniValues {
  const values = new Map<string, string>();
  let section = '';
  for (const line of text.split(/\r?\n/)) {
    const header = /^\[(.*)\]$/.exec(line.trim());
    if (header) section = header[1]!;
    const equals = line.indexOf('=');
    if (header || equals <= 0 || /^\s*[;#]/.test(line)) continue;
    values.set(`${section}/${line.slice(0, equals).trim()}`, line.slice(equals + 1).trim());
  }
  return {
    get(key) {
      const value = values.get(key);
      return value === undefined ? undefined : unquoted(value);
    },
    list: (key) => elementsOf(values.get(key) ?? '').map(unquoted),
  };
}

/** QSettings: commas stand between the elements, and what has one in it is quoted. */
function elementsOf(value: string): string[] {
  const elements: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let at = 0; at < value.length; at++) {
    if (value[at] === '\\') at++;
    else if (value[at] === '"') isQuoted = !isQuoted;
    else if (value[at] === ',' && !isQuoted) {
      elements.push(value.slice(from, at).trim());
      from = at + 1;
    }
  }
  elements.push(value.slice(from).trim());
  return elements.filter((element) => element !== '');
}

/** QSettings: letters stand for control characters, `\x` for a character by its number, `\` and digits for one in octal. */
const CONTROLS: Readonly<Record<string, string>> = {
  ...{ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' },
};

function unquoted(value: string): string {
  const bare = value.startsWith('"') && value.endsWith('"') && value.length > 1 ? value.slice(1, -1) : value;
  return bare.replace(
    /\\(?:x([0-9a-f]{1,4})|([0-7]{1,3})|([\s\S]))/gi,
    (_all, hex?: string, octal?: string, plain = '') => {
      if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
      if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8));
      return CONTROLS[plain] ?? plain;
    },
  );
}
