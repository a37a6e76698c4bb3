// Numbers of port mapping (RFC 6886, UPnP IGD), and our limits on it.
import { MINUTE_MS, SECOND_MS } from '../environment.js';

/** libtorrent `upnp_lease_duration`, `natpmp_lease_duration`. */
export const LEASE_SEC = 3600;
/** Gateways may grant less than was asked (RFC 6886 3.3); renewing more often than this would be a nuisance. */
export const RENEW_MIN_MS = MINUTE_MS;
/** Back-off after a failure: a minute, doubled each time up to half an hour. */
export const MAPPING_RETRY_MS = MINUTE_MS;
export const MAPPING_RETRY_MAX_MS = 30 * MINUTE_MS;
/** One call to the gateway, whatever it consists of; the slowest honest path (no NAT-PMP, slow SOAP) takes about 8 s. */
export const GATEWAY_CALL_MS = 20 * SECOND_MS;

/** RFC 6886: the port a gateway answers NAT-PMP from. */
export const NAT_PMP_PORT = 5351;
/** Descriptions of real gateways have 2 to 20 KiB. */
export const GATEWAY_BODY_MAX_BYTES = 128 * 1024;
export const GATEWAY_HTTP_MS = 5 * SECOND_MS;
/** An honest call takes 4 requests for each protocol and 2 more; error 725 must not turn it into a loop. */
export const GATEWAY_MAX_REQUESTS = 24;
/** SSDP answers fit a datagram; real ones have 300 to 600 bytes. */
export const SSDP_MAX_BYTES = 2048;
/** Limits of the thread that talks to the gateway; reading 128 KiB of XML takes a tenth of it. */
export const GATEWAY_THREAD_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 } as const;
