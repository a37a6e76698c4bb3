// Finding announce addresses by how they begin, for a tracker that has moved or a passkey that has changed. Pure.

/** An address may only be cut behind these, or before them: `http://a.example` is no beginning of `http://a.example.org/`. */
const BOUNDARY = /[/?&=]/;

/** Returns the address with another beginning; null where it does not begin with `find`. */
export function replacePrefix(url: string, find: string, replace: string): string | null {
  if (find === '' || !url.startsWith(find)) return null;
  const rest = url.slice(find.length);
  if (rest !== '' && !BOUNDARY.test(find.at(-1) ?? '') && !BOUNDARY.test(rest[0] ?? '')) return null;
  return replace + rest;
}
