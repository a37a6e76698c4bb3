// The configuration of qBittorrent: Qt's INI format, as far as values are read from it here.

/** Values by `Section/Key`, with `\` in keys as they are written. */
export type IniValues = ReadonlyMap<string, string>;

export function readIni(text: string): IniValues {
  const values = new Map<string, string>();
  let section = '';
  for (const line of text.split(/\r?\n/)) {
    const header = /^\[(.*)\]$/.exec(line.trim());
    if (header) section = header[1]!;
    const equals = line.indexOf('=');
    if (header || equals <= 0 || /^\s*[;#]/.test(line)) continue;
    values.set(`${section}/${line.slice(0, equals).trim()}`, unquoted(line.slice(equals + 1).trim()));
  }
  return values;
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
