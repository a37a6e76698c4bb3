// The numbers that labels of other servers have here: below 0, so that none is that of a label of this server. Pure.

/** More than a server gives. */
const LABELS = 1e9;

export function labelIdThere(server: number, id: number): number {
  return -(server * LABELS + id);
}

/** The number that the label has on its server. */
export function labelIdOf(idThere: number): number {
  return -idThere % LABELS;
}
