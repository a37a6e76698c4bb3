// The server's clock, as its answers tell it: times of the server are compared with it, as the one here may be off.

/** Answers tell whole seconds, and take some time on their way: less than this is no difference. */
const SLACK_MS = 2_000;

let aheadMs = 0;

/** Takes note of the `Date` of an answer that has just come. */
export function noteServerDate(date: string | null): void {
  const ahead = Date.parse(date ?? '') - Date.now();
  if (Math.abs(ahead - aheadMs) > SLACK_MS) aheadMs = Math.abs(ahead) > SLACK_MS ? ahead : 0;
}

/** Milliseconds since 1970, as the server counts them. */
export function serverNowMs(): number {
  return Date.now() + aheadMs;
}
