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

function unquoted(value: string): string {
  const bare = value.startsWith('"') && value.endsWith('"') && value.length > 1 ? value.slice(1, -1) : value;
  return bare.replace(/\\x([0-9a-f]{1,4})|\\(["\\])/gi, (_all, hex?: string, plain?: string) =>
    hex === undefined ? (plain ?? '') : String.fromCharCode(parseInt(hex, 16)),
  );
}
