// Which row shows which torrent. Making rows is what costs in scrolling, so there are only as many as are on the screen:
// each stays with its torrent as long as that is there, then it is given one that comes. Pure.

/** The places in the list that the rows show, -1 for none; `ids` are those of the window from `first` on. */
export interface Assignment {
  readonly ids: readonly string[];
  readonly places: readonly number[];
}

/** `before`: the torrent of each row. The answer has as many rows as there are ids, or more where there were more. */
export function assignRows(before: readonly string[], ids: readonly string[], first: number): Assignment {
  const placeOf = new Map(ids.map((id, at) => [id, first + at]));
  const rowIds: string[] = [...before];
  const places = rowIds.map((id) => takeFrom(placeOf, id));
  const free = places.flatMap((place, row) => (place === -1 ? row : []));
  let next = 0;
  for (const [id, place] of placeOf) {
    const row = free[next++] ?? rowIds.length;
    rowIds[row] = id;
    places[row] = place;
  }
  return { ids: rowIds, places };
}

function takeFrom(placeOf: Map<string, number>, id: string): number {
  const place = placeOf.get(id) ?? -1;
  placeOf.delete(id);
  return place;
}
