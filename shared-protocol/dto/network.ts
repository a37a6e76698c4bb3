// docs/api.md: by which way this machine reaches others. The password of a proxy goes in and never comes out.
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { parsePortList } from '../port-list.js';

/** Names of interfaces have 15 bytes on Linux. */
const INTERFACE = /^[^\s/:]{1,15}$/;
const HOST_NAME = /^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62})(\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}))*\.?$/;
/** SOCKS5 (RFC 1929) says its length in one byte. */
const MAX_CREDENTIAL_BYTES = 255;

/** Whether the text names an interface, or is an address of one. */
export function isInterfaceOrAddress(text: string): boolean {
  return INTERFACE.test(text) || ipaddr.isValid(text);
}

export function isProxyHost(text: string): boolean {
  return HOST_NAME.test(text) || ipaddr.isValid(text);
}

const credentialSchema = z
  .string()
  .refine((text) => new TextEncoder().encode(text).length <= MAX_CREDENTIAL_BYTES, 'at most 255 bytes')
  .refine((text) => !/[\r\n\0]/.test(text), 'must not contain line breaks');

const proxyFields = {
  kind: z.enum(['none', 'socks5', 'http']),
  /** A name or an address. */
  host: z.string().trim().max(253),
  port: z.int().min(0).max(65_535),
  username: credentialSchema,
  /** Connections of peers and web seeds go through it. */
  peers: z.boolean(),
  trackers: z.boolean(),
  /** The proxy leads to the internet and nowhere else, so it may be given names that any account brings. */
  guarded: z.boolean(),
};

export const networkFields = {
  /** An interface or one of its addresses; empty: whatever the system chooses. */
  bind: z
    .string()
    .trim()
    .refine((text) => text === '' || isInterfaceOrAddress(text), {
      message: 'expected the name of an interface or an address',
      params: { reason: 'INTERFACE_INVALID' },
    }),
  /** `6881-6889, 51413`: the first that is free is the peer port; empty: that of the peer settings. */
  listen_ports: z
    .string()
    .trim()
    .max(200)
    .refine((text) => parsePortList(text) !== null, {
      message: 'expected ports and ranges of them, 1000 ports at most',
      params: { reason: 'PORTS_INVALID' },
    }),
  /** Others are told as little as possible of this program and machine. */
  anonymous: z.boolean(),
};

export const networkBodySchema = z.object({
  ...networkFields,
  proxy: z
    .object({
      ...proxyFields,
      /** Left out: the one before, for the same proxy and user. */ password: credentialSchema.optional(),
    })
    .refine(({ kind, host }) => kind === 'none' || isProxyHost(host), {
      path: ['host'],
      message: 'expected an address or host name',
      params: { reason: 'HOST_INVALID' },
    })
    .refine(({ kind, port }) => kind === 'none' || port > 0, { path: ['port'], message: 'must not be 0' }),
});
export type NetworkBody = Readonly<z.infer<typeof networkBodySchema>>;

/** The settings on disk. */
export const storedNetworkSchema = z.object({
  ...networkFields,
  proxy: z.object({ ...proxyFields, password: credentialSchema }),
});
export type StoredNetwork = z.infer<typeof storedNetworkSchema>;

export const networkSchema = z
  .object({
    ...networkFields,
    proxy: z.object({ ...proxyFields, has_password: z.boolean() }),
    /** Settings that a flag has decided, whatever is stored. */
    pinned: z.array(z.enum(['bind', 'listen_ports', 'anonymous', 'proxy'])),
    /** How it is at this moment; null while the engine is away. */
    state: z
      .object({
        /** `closed`: nothing is sent to others. `open`: nothing is bound. */
        binding: z.enum(['open', 'bound', 'closed']),
        /** Why it is closed; empty where it is not. */
        reason: z.string(),
        device: z.string(),
        addresses: z.array(z.string()),
        /** Empty while it is not known, and without a proxy. */
        proxy_address: z.string(),
        /** 0: peers cannot reach us. */
        peer_port: z.int().min(0).max(65_535),
      })
      .nullable(),
  })
  .meta({ id: 'NetworkDTO' });
export type NetworkDto = Readonly<z.infer<typeof networkSchema>>;
