// Pages of what was moved: whatever is put in comes out, and what is torn is no more than what was whole.
import fc from 'fast-check';
import t from 'tap';
import { decodePage, encodePage, findInPage, SERIES_IN_PAGE } from '../../../storage/traffic-page.js';

const bytes = fc.oneof(fc.nat(300), fc.maxSafeNat(), fc.constantFrom(0, 127, 128, 2 ** 32, Number.MAX_SAFE_INTEGER));
const pages = fc
  .array(fc.tuple(fc.nat(SERIES_IN_PAGE - 1), fc.record({ down: bytes, up: bytes })), { maxLength: 60 })
  .map((entries) => new Map(entries));

void t.test('what is put in comes out, by place', async (t) => {
  fc.assert(
    fc.property(pages, fc.nat(SERIES_IN_PAGE - 1), (page, place) => {
      const encoded = encodePage(page);
      t.same(decodePage(encoded), page);
      t.same(findInPage(encoded, place), page.get(place) ?? null);
    }),
  );
});

void t.test('of a page that is torn its beginning is read', async (t) => {
  fc.assert(
    fc.property(pages, fc.nat(), (page, cut) => {
      const encoded = encodePage(page);
      const torn = encoded.subarray(0, cut % (encoded.length + 1));
      for (const [place, moved] of [...decodePage(torn)].slice(0, -1)) t.same(moved, page.get(place));
    }),
  );
  t.same(decodePage(new Uint8Array(40).fill(0xff)), new Map());
});

void t.test('what rests takes no room, and a gigabyte a dozen bytes', async (t) => {
  t.equal(encodePage(new Map()).length, 0);
  t.equal(encodePage(new Map([[9, { down: 0, up: 2 ** 30 }]])).length, 1 + 1 + 5);
});
