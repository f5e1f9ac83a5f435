import { credentials, loadPackageDefinition, type ServiceClientConstructor, type ServiceError } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { protoPath } from 'grpc-health-check';
import { startGatewayProcess } from './gateway-process.ts';

const HOST = '127.0.0.1';
/** On a machine that is busy with other things. */
const READY_MS_MAX = 120_000;
const STEP_MS = 100;
/** The gateway is given this long to finish its calls. */
const DRAIN_MS = 2_000;

export interface GrpcGatewayTerms {
  /** Where the order-book profile answers, without `/v1`. */
  readonly exchangeUrl: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** File that its log lines are added to. */
  readonly log: string;
  readonly gatewaySecret?: string;
}

export interface GrpcGatewayProcess {
  /** Where clients reach it; the same after a restart. */
  readonly address: string;
  /** Process id of the one that runs now; null between two. */
  pid(): number | null;
  /** Drains it and does not start it again. */
  stop(): Promise<void>;
}

/** Runs containers/grpc-gateway and waits until its health service says SERVING. Throws when it does not. */
export async function startGrpcGateway(terms: GrpcGatewayTerms): Promise<GrpcGatewayProcess> {
  const gateway = await startGatewayProcess<{ readonly port: number }>({
    container: 'grpc-gateway',
    log: terms.log,
    settings: (before) => ({
      EXCHANGE_URL: terms.exchangeUrl,
      GATEWAY_SECRET: terms.gatewaySecret ?? '',
      GRPC_HOST: HOST,
      GRPC_PORT: String(before?.port ?? terms.port),
      GRPC_DRAIN_MS: String(DRAIN_MS),
    }),
  });
  const { port } = gateway.listening;
  try {
    await whenServing(`${HOST}:${port}`, terms.log);
  } catch (error) {
    await gateway.stop();
    throw error;
  }
  return { address: `localhost:${port}`, pid: gateway.pid, stop: gateway.stop };
}

async function whenServing(address: string, log: string): Promise<void> {
  const { grpc } = loadPackageDefinition(loadSync(protoPath)) as unknown as {
    grpc: { health: { v1: { Health: ServiceClientConstructor } } };
  };
  const client = new grpc.health.v1.Health(address, credentials.createInsecure());
  const isServing = () =>
    new Promise<boolean>((resolve) => {
      client.Check!({ service: 'TradingService' }, (error: ServiceError | null, answer?: { status: string | number }) =>
        resolve(error === null && (answer?.status === 'SERVING' || answer?.status === 1)),
      );
    });
  try {
    const deadline = Date.now() + READY_MS_MAX;
    while (!(await isServing())) {
      if (Date.now() > deadline) throw new Error(`the gRPC gateway does not serve: see ${log}`);
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    }
  } finally {
    client.close();
  }
}
