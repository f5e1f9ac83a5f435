import { startGatewayProcess } from './gateway-process.ts';

const HOST = '127.0.0.1';
/** On a machine that is busy with other things. */
const READY_MS_MAX = 120_000;
const STEP_MS = 100;
/** Orders in work when it is stopped are given this long. */
const DRAIN_MS = 3_000;

export interface FixGatewayTerms {
  /** Where the order-book profile answers, without `/v1`. */
  readonly exchangeUrl: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Folder of the message stores. */
  readonly storeFolder: string;
  /** File that its log lines are added to. */
  readonly log: string;
  readonly gatewaySecret?: string;
}

export interface FixGatewayProcess {
  /** Where clients reach it; the same after a restart. */
  readonly port: number;
  /** Logs its sessions out and does not start it again. */
  stop(): Promise<void>;
}

interface Ports {
  readonly port: number;
  readonly healthPort: number;
}

/** Runs containers/fix-gateway and waits until its /healthz answers that all is well. Throws when it does not. */
export async function startFixGateway(terms: FixGatewayTerms): Promise<FixGatewayProcess> {
  const gateway = await startGatewayProcess<Ports>({
    container: 'fix-gateway',
    log: terms.log,
    settings: (before) => ({
      EXCHANGE_URL: terms.exchangeUrl,
      GATEWAY_SECRET: terms.gatewaySecret ?? '',
      FIX_HOST: HOST,
      FIX_PORT: String(before?.port ?? terms.port),
      FIX_HEALTH_PORT: String(before?.healthPort ?? 0),
      FIX_STORE: terms.storeFolder,
      FIX_TEST: '1',
      FIX_DRAIN_MS: String(DRAIN_MS),
    }),
  });
  const { port, healthPort } = gateway.listening;
  try {
    await whenHealthy(healthPort, terms.log);
  } catch (error) {
    await gateway.stop();
    throw error;
  }
  return { port, stop: gateway.stop };
}

async function whenHealthy(port: number, log: string): Promise<void> {
  const deadline = Date.now() + READY_MS_MAX;
  for (;;) {
    const healthy = await fetch(`http://${HOST}:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (healthy) return;
    if (Date.now() > deadline) throw new Error(`the FIX gateway is not well: see ${log}`);
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}
