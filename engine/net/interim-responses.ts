// Interim responses of HTTP (RFC 9110, section 15.2): a server may send as many as it likes before the one that is waited for, and each
// takes a turn of the thread.

/** No spec value; servers send one or two. */
const MAX_INTERIM = 10;

/** The server goes on with them. */
export class InterimRefused extends Error {}

export class InterimResponses {
  readonly #refused = new AbortController();
  #count = 0;

  /** Aborted with InterimRefused for one too many. */
  get signal(): AbortSignal {
    return this.#refused.signal;
  }

  note(): void {
    if (++this.#count > MAX_INTERIM)
      this.#refused.abort(new InterimRefused(`more than ${MAX_INTERIM} interim responses`));
  }
}
