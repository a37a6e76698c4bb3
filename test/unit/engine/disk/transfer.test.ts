import t from 'tap';
import { totalLength, viewsBetween, viewsFrom } from '../../../../engine/disk/transfer.js';

const views = [Uint8Array.of(0, 1, 2), Uint8Array.of(), Uint8Array.of(3), Uint8Array.of(4, 5, 6, 7)];
const show = (parts: readonly Uint8Array[]): string => parts.map((part) => part.join('')).join('|');

void t.test('views are cut at any border without copying', async (t) => {
  t.equal(totalLength(views), 8);
  t.equal(show(viewsBetween(views, 0, 8)), '012|3|4567');
  t.equal(show(viewsBetween(views, 2, 5)), '2|3|4');
  t.equal(show(viewsBetween(views, 3, 4)), '3');
  t.equal(show(viewsFrom(views, 6)), '67');
  t.equal(show(viewsFrom(views, 8)), '');
  t.equal(viewsFrom(views, 6)[0]?.buffer, views[3]?.buffer);
});
