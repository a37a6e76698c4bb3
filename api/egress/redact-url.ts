// A URL without what may be a secret in it (semantics.md section 2): for logs, and for those who may see that there is a
// feed or a list but not the passkey it is fetched with.

/** Path segments that look like a passkey (semantics.md section 6). */
const KEY_IN_PATH = /[0-9a-f]{20,}/gi;
const MASK = '***';

/** User name, password and query values become `***`; what is no URL becomes `***` as a whole. Empty stays empty. */
export function redactUrl(text: string): string {
  if (text === '') return '';
  if (!URL.canParse(text)) return MASK;
  const url = new URL(text);
  if (url.host === '') return `${url.protocol}${MASK}`;
  const userinfo = url.username === '' && url.password === '' ? '' : `${MASK}@`;
  const path = url.pathname.replace(KEY_IN_PATH, MASK);
  return `${url.protocol}//${userinfo}${url.host}${path}${redactQuery(url.search)}`;
}

function redactQuery(search: string): string {
  if (search === '') return '';
  const pairs = search.slice(1).split('&');
  return `?${pairs.map((pair) => (pair.includes('=') ? `${pair.slice(0, pair.indexOf('='))}=${MASK}` : MASK)).join('&')}`;
}
