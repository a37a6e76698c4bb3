// Numbers of local service discovery (BEP 14) and of port mapping (RFC 6886, UPnP IGD), and our limits on them.
import { MINUTE_MS, SECOND_MS } from '../ports.js';

/** BEP 14: the groups and the port that announcements go to. */
export const LSD_PORT = 6771;
export const LSD_GROUPS = { 4: '239.192.152.143', 6: 'ff15::efc0:988f' } as const;
/** BEP 14: "no more than 1400 bytes", so that a datagram fits a frame. */
export const LSD_MAX_BYTES = 1400;
/** As many headers of 52 bytes as fit beside the others. */
export const LSD_MAX_HASHES = 25;
/** Routers must not pass announcements on. */
export const LSD_TTL = 1;

/** Wait before the n-th announcement of a torrent, the last one forever: libtorrent's 0, 2 and 4 s, then each 300 s. */
export const LSD_WAITS_MS = [0, 2 * SECOND_MS, 2 * SECOND_MS, 300 * SECOND_MS] as const;
/** Between two rounds, each a datagram per family: what others' limiters of ten a second let through. */
export const LSD_PACE_MS = 200;
/** How soon to look again while the peer port is not open. */
export const LSD_NO_PORT_RETRY_MS = 2 * SECOND_MS;
/** Received datagrams looked at in a window, the rest of it is ignored; Transmission's ten a second. */
export const LSD_WINDOW_MS = 5 * SECOND_MS;
export const LSD_DATAGRAMS_PER_WINDOW = 50;

/** Linux lets a socket join 20 groups (`igmp_max_memberships`). */
export const MAX_INTERFACES = 16;
/** How old the list of interfaces may be where it decides something. */
export const INTERFACES_FRESH_MS = SECOND_MS;

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
/** Of the thread that talks to the gateway; reading 128 KiB of XML takes a tenth of it. */
export const GATEWAY_THREAD_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 } as const;
