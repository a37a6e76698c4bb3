// Paths and URLs without the slashes at their ends. By hand: a regular expression looks at each run of slashes that is not at
// the end as often as it is long.

export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}
