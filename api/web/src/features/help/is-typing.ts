// Whether keys and pastes belong to the element that has the focus, and to no other.

const FIELDS = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';
/** Elements of which the keys mean nothing but pressing. */
const MARKS = 'input:is([type="checkbox"], [type="radio"], [type="button"], [type="file"])';

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(FIELDS) !== null && !target.matches(MARKS);
}
