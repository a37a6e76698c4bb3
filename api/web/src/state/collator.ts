// The order of names as people expect it: capitals beside small letters, 2 before 10.
export const COLLATOR = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
