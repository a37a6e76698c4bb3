// The HTTP client, loaded with the first tracker that is asked over HTTP: its library (undici) takes 170 ms of a start.
import type { HttpTrackerClient } from './client.js';
import type { HttpTrackerClientOptions } from './http-client.js';

export function httpTrackersOnDemand(options: Partial<HttpTrackerClientOptions>): HttpTrackerClient {
  let loading: Promise<HttpTrackerClient> | null = null;
  const load = async () => (await import('./http-client.js')).createHttpTrackerClient(options);
  const client = () => (loading ??= load());
  return {
    announce: async (request, signal) => (await client()).announce(request, signal),
    scrape: async (request, signal) => (await client()).scrape(request, signal),
    close: async () => (await loading)?.close(),
  };
}
