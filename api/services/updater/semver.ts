// Versions and which of two is newer (Semantic Versioning 2.0.0). Pure. The package is lenient where a version also names
// a folder and a file: it takes `v1.0.0`, `=1.0.0`, blanks around it and numbers of sixteen digits, this does not.
import gt from 'semver/functions/gt.js';
import valid from 'semver/functions/valid.js';

/** Nine digits: what people count. */
const FORM = /^\d{1,9}\.\d{1,9}\.\d{1,9}(?:-[0-9A-Za-z.-]{1,64})?(?:\+[0-9A-Za-z.-]{1,64})?$/;

export function isVersion(text: string): boolean {
  return FORM.test(text) && valid(text) !== null;
}

/** False when either is no version: what cannot be compared is not newer. */
export function isNewer(candidate: string, than: string): boolean {
  return isVersion(candidate) && isVersion(than) && gt(candidate, than);
}
