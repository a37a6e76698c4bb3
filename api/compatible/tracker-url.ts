/** Whether a text is an announce URL that the engine takes: over HTTP or UDP (BEP 3, 15). */
export function isTrackerUrl(text: string): boolean {
  return /^(?:https?|udp):\/\/[^/]/i.test(text) && URL.canParse(text);
}
