// Where a torrent stands with its verification: none, waiting for its turn, or under way; and what is to be hashed.
import type { PieceCheck } from './piece-check.js';
import { union, type CheckScope } from './check-scope.js';

export class CheckState {
  #state: 'none' | 'queued' | 'running' = 'none';
  #scope: CheckScope | null = null;
  /** Asked for while one was running that does not cover it. */
  #next: CheckScope | null = null;
  #running: PieceCheck | null = null;
  #isByPerson = false;

  get state(): 'none' | 'queued' | 'running' {
    return this.#state;
  }

  /** The scope being hashed, or waiting to be; null: none. */
  get scope(): CheckScope | null {
    return this.#scope;
  }

  /** A person asked for it, or for the one behind it. */
  get isByPerson(): boolean {
    return this.#isByPerson;
  }

  askedByPerson(): void {
    this.#isByPerson = true;
  }

  /** More files than one is already queued for join it. False when that was all asked for before. */
  queue(scope: CheckScope): boolean {
    const asked = this.#state === 'running' ? (this.#next ?? this.#scope) : this.#scope;
    if (asked !== null && covers(asked, scope)) return false;
    if (this.#state === 'running') this.#next = this.#next === null ? scope : union(this.#next, scope);
    else this.#scope = this.#scope === null ? scope : union(this.#scope, scope);
    if (this.#state === 'none') this.#state = 'queued';
    return true;
  }

  /** None is asked for behind the one that is running. */
  get isLast(): boolean {
    return this.#next === null;
  }

  /** `done` must be called whatever comes of it. */
  begin(check: PieceCheck): void {
    this.#state = 'running';
    this.#running = check;
  }

  stop(): void {
    this.#running?.stop();
  }

  done(): void {
    this.#running = null;
    this.#scope = this.#next;
    this.#next = null;
    this.#state = this.#scope === null ? 'none' : 'queued';
    if (this.#state === 'none') this.#isByPerson = false;
  }
}

function covers(scope: CheckScope, other: CheckScope): boolean {
  if (scope === 'all') return true;
  return other !== 'all' && [...other].every((file) => scope.has(file));
}
