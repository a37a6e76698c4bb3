// Base64 in a JSON string that comes in chunks, decoded as it comes. Line ends, escaped slashes and whatever else is no
// digit of it are left out, as lenient decoders do: what is no torrent file then is refused as such.

export class Base64Stream {
  /** Digits that are no whole group yet, and an escape that is cut in two. */
  #carried = '';

  push(chunk: Buffer): Buffer {
    const text = this.#carried + chunk.toString('latin1');
    const [cut = ''] = /\\(?:u[\da-f]{0,3})?$/i.exec(text) ?? [];
    const digits = digitsOf(text.slice(0, text.length - cut.length));
    const whole = digits.length - (digits.length % 4);
    this.#carried = digits.slice(whole) + cut;
    return Buffer.from(digits.slice(0, whole), 'base64');
  }

  /** The bytes of the last, shorter group. */
  end(): Buffer {
    return Buffer.from(digitsOf(this.#carried), 'base64');
  }
}

function digitsOf(text: string): string {
  return unescaped(text).replace(/[^\w+/-]/g, '');
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text
    .replace(/\\u([\da-f]{4})/gi, (_escape, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\\[bfnrt]/g, '');
}
