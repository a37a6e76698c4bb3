// Whether the page is as narrow as a phone's: the width below which the style sheets stack what stood side by side.
import { createSignal, type Accessor } from 'solid-js';

const narrow = matchMedia('(width < 760px)');
const [isNarrow, setIsNarrow] = createSignal(narrow.matches);
narrow.addEventListener('change', () => setIsNarrow(narrow.matches));

export const isPhone: Accessor<boolean> = isNarrow;
