import { type Environment, parseSettings, type Tls } from '../process/parse-settings.ts';

/** How a gateway runs. */
export interface Settings {
  /** Where the order-book profile answers, without `/v1`: `https://book.example.com` or `http://localhost:8787/book`. */
  readonly exchangeUrl: URL;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Without it the gateway speaks plaintext. */
  readonly tls: Tls | null;
  /** Proxies in front, whose connections begin with a PROXY header: addresses and CIDR blocks. */
  readonly proxies: readonly string[];
  /** Proves to the exchange that the forwarded client address comes from this gateway. */
  readonly gatewaySecret: string | null;
  /** How long calls may go on after SIGTERM. */
  readonly drain_ms: number;
}

const PORT_DEFAULT = 50_051;
const DRAIN_MS_DEFAULT = 10_000;

/**
 * Reads EXCHANGE_URL, GRPC_HOST, GRPC_PORT, GRPC_TLS_CERT and GRPC_TLS_KEY (files), GRPC_PROXIES (addresses and CIDR blocks),
 * GATEWAY_SECRET and GRPC_DRAIN_MS.
 */
export function readSettings(environment: Environment): Settings {
  return parseSettings(environment, (from) => ({
    exchangeUrl: from.address('EXCHANGE_URL', 'the address of the order-book profile, without /v1'),
    host: from.text('GRPC_HOST', '0.0.0.0'),
    port: from.port('GRPC_PORT', PORT_DEFAULT),
    tls: from.tls('GRPC_TLS_CERT', 'GRPC_TLS_KEY'),
    proxies: from.proxies('GRPC_PROXIES'),
    gatewaySecret: from.optional('GATEWAY_SECRET'),
    drain_ms: from.wholeNumber('GRPC_DRAIN_MS', { otherwise: DRAIN_MS_DEFAULT, max: 600_000 }),
  }));
}
