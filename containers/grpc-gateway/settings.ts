import { readFileSync } from 'node:fs';
import { trustedProxies } from '../proxy-protocol/trusted-proxies.ts';

/** How a gateway runs. */
export interface Settings {
  /** Where the order-book profile answers, without `/v1`: `https://book.example.com` or `http://localhost:8787/book`. */
  readonly exchangeUrl: URL;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** PEM; without them the gateway speaks plaintext. */
  readonly tls: { readonly certificate: Buffer; readonly key: Buffer } | null;
  /** Proxies in front, whose connections begin with a PROXY header: addresses and CIDR blocks. */
  readonly proxies: readonly string[];
  /** Proves to the exchange that the forwarded client address comes from this gateway. */
  readonly gatewaySecret: string | null;
  /** How long calls may go on after SIGTERM. */
  readonly drain_ms: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const PORT_DEFAULT = 50_051;
const DRAIN_MS_DEFAULT = 10_000;

/**
 * Reads EXCHANGE_URL, GRPC_HOST, GRPC_PORT, GRPC_TLS_CERT and GRPC_TLS_KEY (files), GRPC_PROXIES (addresses and CIDR blocks),
 * GATEWAY_SECRET and GRPC_DRAIN_MS.
 */
export function readSettings(environment: Environment): Settings {
  const { EXCHANGE_URL, GRPC_HOST, GRPC_TLS_CERT, GRPC_TLS_KEY, GATEWAY_SECRET } = environment;
  if (!EXCHANGE_URL) throw new Error('EXCHANGE_URL is not set: the address of the order-book profile, without /v1');
  if (Boolean(GRPC_TLS_CERT) !== Boolean(GRPC_TLS_KEY)) throw new Error('GRPC_TLS_CERT and GRPC_TLS_KEY go together');
  return {
    exchangeUrl: new URL(EXCHANGE_URL),
    host: GRPC_HOST || '0.0.0.0',
    port: wholeNumber(environment, 'GRPC_PORT', PORT_DEFAULT, 65_535),
    tls:
      GRPC_TLS_CERT && GRPC_TLS_KEY
        ? { certificate: readFileSync(GRPC_TLS_CERT), key: readFileSync(GRPC_TLS_KEY) }
        : null,
    proxies: trustedProxies('GRPC_PROXIES', environment.GRPC_PROXIES),
    gatewaySecret: GATEWAY_SECRET || null,
    drain_ms: wholeNumber(environment, 'GRPC_DRAIN_MS', DRAIN_MS_DEFAULT, 600_000),
  };
}

function wholeNumber(environment: Environment, name: string, otherwise: number, max: number): number {
  const text = environment[name] ?? '';
  if (text === '') return otherwise;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > max) throw new Error(`${name}=${text} is not 0 to ${max}`);
  return value;
}
