import { type Environment, parseSettings, type SettingsReader, type Tls } from '../process/parse-settings.ts';
import { readSchedule, type Schedule } from './session/schedule.ts';

/** How a gateway runs. */
export interface Settings {
  /** Where the order-book profile answers, without `/v1`. */
  readonly exchangeUrl: URL;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Port of GET /healthz. */
  readonly healthPort: number;
  /** Folder of the message stores. */
  readonly storeFolder: string;
  /** Our CompID. */
  readonly compId: string;
  /** Without it the gateway speaks plaintext. */
  readonly tls: Tls | null;
  /** Proxies in front, whose connections begin with a PROXY header: addresses and CIDR blocks. */
  readonly proxies: readonly string[];
  readonly schedule: Schedule;
  /** Orders are no real ones. */
  readonly isTest: boolean;
  /** Proves to the exchange that the forwarded client address comes from this gateway. */
  readonly gatewaySecret: string | null;
  /** How long orders in work may take after SIGTERM. */
  readonly drain_ms: number;
}

const PORT_DEFAULT = 9_876;
const HEALTH_PORT_DEFAULT = 9_877;
const DRAIN_MS_DEFAULT = 10_000;

/**
 * Reads EXCHANGE_URL, FIX_HOST, FIX_PORT, FIX_HEALTH_PORT, FIX_STORE, FIX_COMP_ID, FIX_TLS_CERT and FIX_TLS_KEY (files), FIX_PROXIES
 * (addresses and CIDR blocks), FIX_SCHEDULE (`HH:MM:SS-HH:MM:SS`, UTC), FIX_TEST (1), FIX_DRAIN_MS
 * and GATEWAY_SECRET.
 */
export function readSettings(environment: Environment): Settings {
  return parseSettings(environment, (from) => ({
    exchangeUrl: from.address('EXCHANGE_URL', 'the address of the order-book profile, without /v1'),
    host: from.text('FIX_HOST', '0.0.0.0'),
    port: from.port('FIX_PORT', PORT_DEFAULT),
    healthPort: from.port('FIX_HEALTH_PORT', HEALTH_PORT_DEFAULT),
    storeFolder: from.text('FIX_STORE', 'fix-store'),
    compId: from.text('FIX_COMP_ID', 'EXCHANGE'),
    tls: from.tls('FIX_TLS_CERT', 'FIX_TLS_KEY'),
    proxies: from.proxies('FIX_PROXIES'),
    schedule: scheduleOf(from),
    isTest: from.flag('FIX_TEST'),
    gatewaySecret: from.optional('GATEWAY_SECRET'),
    drain_ms: from.wholeNumber('FIX_DRAIN_MS', { otherwise: DRAIN_MS_DEFAULT, max: 600_000 }),
  }));
}

function scheduleOf(from: SettingsReader): Schedule {
  const schedule = readSchedule(from.text('FIX_SCHEDULE', ''));
  if (!schedule.ok) from.refuse(`FIX_SCHEDULE: ${schedule.error}`);
  return schedule.ok ? schedule.value : null;
}
