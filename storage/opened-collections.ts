// The collections that a process has open, by name. Owns: each is opened once, whoever asks, so that all of its changes are
// one after another; one that could not be opened is tried again by whoever asks next.
import { AppError } from '../shared-protocol/errors.js';
import type { RemovableCollection } from './types.js';

/** Names that are safe as those of files, and as one word of a notification. */
const NAME = /^[a-z][a-z-]*(\/\w+)?$/;

export class OpenedCollections {
  readonly #opened = new Map<string, Promise<RemovableCollection<unknown>>>();

  /** `Data` is that of the shape with which the name was opened first: a name has one shape. */
  async open<Data>(
    name: string,
    openAnew: () => Promise<RemovableCollection<Data>>,
  ): Promise<RemovableCollection<Data>> {
    assertName(name);
    const known = this.#opened.get(name);
    if (known) return (await known) as RemovableCollection<Data>;
    const opening = openAnew();
    this.#opened.set(name, opening as Promise<RemovableCollection<unknown>>);
    opening.catch(() => this.#opened.delete(name));
    return opening;
  }

  /** Resolves to undefined where it is not open. */
  async find(name: string): Promise<RemovableCollection<unknown> | undefined> {
    assertName(name);
    return this.#opened.get(name)?.catch(() => undefined);
  }
}

function assertName(name: string): void {
  if (!NAME.test(name)) throw new AppError('BUG', `bug: ${name} is no name of a collection`);
}
