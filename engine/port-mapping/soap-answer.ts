// What is in the body of a SOAP answer as nat-api hands it on: objects out of a stranger's XML, so anything. Pure.

/** The named answer's fields; null when the body is not that answer, which the package does not look at. */
export function soapAnswer(body: unknown, action: string): Readonly<Record<string, unknown>> | null {
  if (typeof body !== 'object' || body === null) return null;
  for (const [key, value] of Object.entries(body)) {
    if (key !== `${action}Response` && !key.endsWith(`:${action}Response`)) continue;
    // An answer without fields may come as text.
    return typeof value === 'object' && value !== null ? { ...value } : {};
  }
  return null;
}

export type MappingEntry = 'ours' | 'other-owner' | 'unknown';

/** UPnP IGD GetSpecificPortMappingEntry: whose mapping it is that we have been told is ours. */
export function judgeMappingEntry(body: unknown, port: number, isOwn: (address: string) => boolean): MappingEntry {
  const entry = soapAnswer(body, 'GetSpecificPortMappingEntry');
  const client = entry?.['NewInternalClient'];
  const internalPort = entry?.['NewInternalPort'];
  // Many gateways do not tell; their yes has to do.
  if (typeof client !== 'string' || typeof internalPort !== 'string') return 'unknown';
  return isOwn(client.trim()) && Number(internalPort) === port ? 'ours' : 'other-owner';
}
