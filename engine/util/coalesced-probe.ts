// Looks at something outside, shared by those who ask for them together, none of them told what was so before it asked:
// a caller that comes while a look is under way shares the next one.

export class CoalescedProbe<Found> {
  readonly #underWay = new Map<string, Promise<Found>>();
  readonly #next = new Map<string, Promise<Found>>();

  constructor(private readonly look: (path: string) => Promise<Found>) {}

  /** Rejects as the look does. */
  at(path: string): Promise<Found> {
    const next = this.#next.get(path);
    if (next) return next;
    const underWay = this.#underWay.get(path);
    return underWay ? this.#after(underWay, path) : this.#begin(path);
  }

  #begin(path: string): Promise<Found> {
    const look = this.look(path).finally(() => this.#underWay.delete(path));
    this.#underWay.set(path, look);
    return look;
  }

  #after(underWay: Promise<Found>, path: string): Promise<Found> {
    const begin = (): Promise<Found> => {
      this.#next.delete(path);
      return this.#begin(path);
    };
    const next = underWay.then(begin, begin);
    this.#next.set(path, next);
    return next;
  }
}
