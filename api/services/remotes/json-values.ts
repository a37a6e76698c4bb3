// How many values a JSON text has, told before it is parsed: `{}` takes twenty times its three bytes, and a thread that has
// reached the bound of its memory may collect garbage for minutes before it ends. RFC 8259. Pure.

const [QUOTE, COMMA, BRACKET, BACKSLASH, BRACE] = [0x22, 0x2c, 0x5b, 0x5c, 0x7b];

/** Each value that is not the first of its list follows a comma, and the first an opening bracket or brace. */
export function hasMoreValuesThan(most: number, json: Uint8Array): boolean {
  let values = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (isText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if ((byte === COMMA || byte === BRACKET || byte === BRACE) && ++values > most) return true;
  }
  return false;
}
