// The name under which a browser saves what it is sent (RFC 6266, 8187). Names come from strangers: nothing in one ends the
// header or the quotes, leads into a folder, or turns the text that people see around.

/** Characters that are no part of a name: controls, what turns or hides text, separators of folders, halves of characters. */
const NOT_IN_NAMES = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}/\\]/gu;
/** In the plain form besides: what is no ASCII, ends the quotes, or is decoded by some browsers. */
const NOT_PLAIN = /[^\x20-\x7e]|["%]/g;
/** Left alone by `encodeURIComponent`, but no `attr-char` of RFC 8187. */
const NOT_ATTR_CHARS = /['()*]/g;

/** `path`: of the file; its last element is the name. */
export function contentDisposition(kind: 'inline' | 'attachment', path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(NOT_IN_NAMES, '_') || '_';
  const plain = name.replace(NOT_PLAIN, '_');
  const encoded = encodeURIComponent(name).replace(
    NOT_ATTR_CHARS,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const extended = plain === name ? '' : `; filename*=UTF-8''${encoded}`;
  return `${kind}; filename="${plain}"${extended}`;
}
