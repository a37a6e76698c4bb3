// Versions and which of two is newer (Semantic Versioning 2.0.0, sections 9 to 11): pre-releases before the release,
// build metadata without weight. Pure.

interface Version {
  readonly numbers: readonly number[];
  /** Empty: a release. */
  readonly preRelease: readonly string[];
}

/** Nine digits: what people count, and exact as a number. */
const NUMBER = '(0|[1-9]\\d{0,8})';
const VERSION = new RegExp(`^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-([0-9A-Za-z.-]{1,64}))?(?:\\+[0-9A-Za-z.-]{1,64})?$`);
/** Numeric ones without leading zeroes (section 9). */
const IDENTIFIER = /^(?:0|[1-9]\d{0,8}|\d*[A-Za-z-][0-9A-Za-z-]*)$/;

export function isVersion(text: string): boolean {
  return parse(text) !== null;
}

/** False when either is no version: what cannot be compared is not newer. */
export function isNewer(candidate: string, than: string): boolean {
  const [a, b] = [parse(candidate), parse(than)];
  return a !== null && b !== null && compare(a, b) > 0;
}

function parse(text: string): Version | null {
  const match = VERSION.exec(text);
  if (!match) return null;
  const preRelease = match[4]?.split('.') ?? [];
  if (!preRelease.every((identifier) => IDENTIFIER.test(identifier))) return null;
  return { numbers: match.slice(1, 4).map(Number), preRelease };
}

function compare(a: Version, b: Version): number {
  for (const [i, number] of a.numbers.entries()) {
    if (number !== b.numbers[i]) return number - (b.numbers[i] ?? 0);
  }
  if (a.preRelease.length === 0 || b.preRelease.length === 0) return b.preRelease.length - a.preRelease.length;
  return comparePreReleases(a.preRelease, b.preRelease);
}

/** Section 11.4: numbers by value and before words, words by ASCII, the longer one later when all before are equal. */
function comparePreReleases(a: readonly string[], b: readonly string[]): number {
  for (const [i, identifier] of a.entries()) {
    const other = b[i];
    if (other === undefined) return 1;
    if (identifier === other) continue;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(identifier), /^\d+$/.test(other)];
    if (isNumber && isOtherNumber) return Number(identifier) - Number(other);
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    return identifier < other ? -1 : 1;
  }
  return a.length - b.length;
}
