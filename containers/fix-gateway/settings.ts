import { readFileSync } from 'node:fs';
import { trustedProxies } from '../proxy-protocol/trusted-proxies.ts';
import { readSchedule, type Schedule } from './session/schedule.ts';

/** How a gateway runs. */
export interface Settings {
  /** Where the order-book profile answers, without `/v1`; null in acceptance mode, which echoes and knows no exchange. */
  readonly exchangeUrl: URL | null;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Port of GET /healthz. */
  readonly healthPort: number;
  /** Folder of the message stores. */
  readonly storeFolder: string;
  /** Our CompID. */
  readonly compId: string;
  /** PEM; without them the gateway speaks plaintext. */
  readonly tls: { readonly certificate: Buffer; readonly key: Buffer } | null;
  /** Proxies in front, whose connections begin with a PROXY header: addresses and CIDR blocks. */
  readonly proxies: readonly string[];
  readonly schedule: Schedule;
  /** Proves to the exchange that the forwarded client address comes from this gateway. */
  readonly gatewaySecret: string | null;
  /** How long orders in work may take after SIGTERM. */
  readonly drain_ms: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const PORT_DEFAULT = 9_876;
const HEALTH_PORT_DEFAULT = 9_877;
const DRAIN_MS_DEFAULT = 10_000;

/**
 * Reads EXCHANGE_URL, FIX_HOST, FIX_PORT, FIX_HEALTH_PORT, FIX_STORE, FIX_COMP_ID, FIX_TLS_CERT and FIX_TLS_KEY (files), FIX_PROXIES
 * (addresses and CIDR blocks), FIX_SCHEDULE (`HH:MM:SS-HH:MM:SS`, UTC), FIX_DRAIN_MS, GATEWAY_SECRET and FIX_ACCEPTANCE. The last
 * takes peers without credentials and echoes what they send, which ENVIRONMENT=local alone may do.
 */
export function readSettings(environment: Environment): Settings {
  const { EXCHANGE_URL, FIX_HOST, FIX_STORE, FIX_COMP_ID, FIX_TLS_CERT, FIX_TLS_KEY, GATEWAY_SECRET } = environment;
  const acceptance = environment.FIX_ACCEPTANCE === '1';
  if (acceptance && environment.ENVIRONMENT !== 'local') throw new Error('FIX_ACCEPTANCE asks for ENVIRONMENT=local');
  if (!acceptance && !EXCHANGE_URL)
    throw new Error('EXCHANGE_URL is not set: the address of the order-book profile, without /v1');
  if (Boolean(FIX_TLS_CERT) !== Boolean(FIX_TLS_KEY)) throw new Error('FIX_TLS_CERT and FIX_TLS_KEY go together');
  return {
    exchangeUrl: acceptance || !EXCHANGE_URL ? null : new URL(EXCHANGE_URL),
    host: FIX_HOST || '0.0.0.0',
    port: wholeNumber(environment, 'FIX_PORT', PORT_DEFAULT, 65_535),
    healthPort: wholeNumber(environment, 'FIX_HEALTH_PORT', HEALTH_PORT_DEFAULT, 65_535),
    storeFolder: FIX_STORE || 'fix-store',
    compId: FIX_COMP_ID || (acceptance ? 'ISLD' : 'EXCHANGE'),
    tls:
      FIX_TLS_CERT && FIX_TLS_KEY ? { certificate: readFileSync(FIX_TLS_CERT), key: readFileSync(FIX_TLS_KEY) } : null,
    proxies: trustedProxies('FIX_PROXIES', environment.FIX_PROXIES),
    schedule: readSchedule(environment.FIX_SCHEDULE ?? ''),
    gatewaySecret: GATEWAY_SECRET || null,
    drain_ms: wholeNumber(environment, 'FIX_DRAIN_MS', DRAIN_MS_DEFAULT, 600_000),
  };
}

function wholeNumber(environment: Environment, name: string, otherwise: number, max: number): number {
  const text = environment[name] ?? '';
  if (text === '') return otherwise;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > max) throw new Error(`${name}=${text} is not 0 to ${max}`);
  return value;
}
