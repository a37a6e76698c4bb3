// Asks the server how a path may go on. Only the answer to the last question counts.
import { createSignal, onCleanup } from 'solid-js';
import type { PathsDto } from '../../../../shared-protocol/dto/paths.js';
import { ApiError, call } from '../net/http.js';

/** Keys that come faster than this are one question. */
const PAUSE_MS = 120;

export interface Found extends PathsDto {
  /** The path that was asked about. */
  readonly of: string;
}

/** `isHere`: whether there is anything to ask for. */
export function createPathSearch(isHere: () => boolean) {
  const [found, setFound] = createSignal<Found | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  const ask = async (path: string) => {
    clearTimeout(timer);
    if (!isHere()) return;
    const mine = ++asked;
    try {
      const answer = await call<PathsDto>('GET', `/api/paths?prefix=${encodeURIComponent(path)}`);
      if (mine === asked) setFound({ ...answer, of: path });
    } catch (error) {
      // A hint that does not come is none; what is wrong with the path is said when it is saved.
      if (!(error instanceof ApiError)) throw error;
      if (mine === asked) setFound(null);
    }
  };
  onCleanup(() => {
    clearTimeout(timer);
    asked++;
  });
  return {
    found,
    ask,
    askSoon: (path: string) => {
      clearTimeout(timer);
      timer = setTimeout(() => void ask(path), PAUSE_MS);
    },
  };
}
