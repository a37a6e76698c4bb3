// Whether keys and pastes belong to the element that has the focus, and to nobody else.

const FIELDS = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';
/** Of these the keys mean nothing but pressing. */
const MARKS = 'input:is([type="checkbox"], [type="radio"], [type="button"], [type="file"])';

export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(FIELDS) !== null && !target.matches(MARKS);
}
