// Texts of strangers and of systems where there is little room.

/** The text, or its beginning with an ellipsis where it is longer than `maxChars`; no character is cut into halves. */
export function shortened(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
