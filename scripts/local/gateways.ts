import { join } from 'node:path';
import { unstable_readConfig } from 'wrangler';
import { startFixGateway } from './fix-gateway-process.ts';
import { startGrpcGateway } from './grpc-gateway-process.ts';
import { PATHS } from './paths.ts';
import { portOf } from './port.ts';
import type { Service } from './services.ts';

const GRPC_PORT = 50_051;
const FIX_PORT = 9_876;

/** The gateways beside the Worker that this start has. */
export interface Gateways {
  /** Host and port; null where it was left out. */
  readonly grpc: string | null;
  readonly fix: string | null;
  /** Lets them finish their work, once. */
  stop(): Promise<void>;
}

/** Starts those that are chosen, on GRPC_PORT and FIX_PORT; 0 takes free ones. @throws Error when a port is taken */
export async function startGateways(port: number, services: ReadonlySet<Service>): Promise<Gateways> {
  const exchangeUrl = `http://localhost:${port}/book`;
  const { vars } = unstable_readConfig({ config: PATHS.wranglerConfig });
  const gatewaySecret = String(vars.GATEWAY_SECRET ?? '');
  const grpc = services.has('grpc')
    ? await startGrpcGateway({
        exchangeUrl,
        port: await portOf('GRPC_PORT', GRPC_PORT),
        log: join(PATHS.state, 'grpc-gateway.log'),
        gatewaySecret,
      })
    : null;
  try {
    const fix = services.has('fix')
      ? await startFixGateway({
          exchangeUrl,
          port: await portOf('FIX_PORT', FIX_PORT),
          storeFolder: join(PATHS.state, 'fix'),
          log: join(PATHS.state, 'fix-gateway.log'),
          gatewaySecret,
        })
      : null;
    let stopped: Promise<unknown> | null = null;
    return {
      grpc: grpc?.address ?? null,
      fix: fix === null ? null : `localhost:${fix.port}`,
      async stop() {
        stopped ??= Promise.all([grpc?.stop(), fix?.stop()]);
        await stopped;
      },
    };
  } catch (error) {
    await grpc?.stop();
    throw error;
  }
}
