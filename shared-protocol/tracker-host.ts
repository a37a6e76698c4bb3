/** The host in a tracker's address, without its port; empty for what is no address. */
export function trackerHostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase() : '';
}
