import { join } from 'node:path';
import {
  type CallOptions,
  type Client,
  type ClientDuplexStream,
  credentials,
  loadPackageDefinition,
  Metadata,
  type ServiceClientConstructor,
  type ServiceError,
} from '@grpc/grpc-js';
import { loadFileDescriptorSetFromBuffer, loadSync } from '@grpc/proto-loader';
import { type Door, Missing, WAIT_MS } from './door.ts';

const REFLECTION = join(import.meta.dirname, '..', '..', 'containers', 'grpc-gateway', 'reflection.proto');
const SERVICE = 'TradingService';

interface Answer {
  readonly file_descriptor_response?: { readonly file_descriptor_proto: readonly Buffer[] };
}

interface Level {
  readonly price: number;
  readonly size: number;
}

type Told = Readonly<Record<string, unknown>>;
type Unary = (
  request: object,
  metadata: Metadata,
  options: CallOptions,
  done: (error: ServiceError | null, message: Told) => void,
) => void;

/** gRPC, with no file of ours: the gateway describes its service itself. */
export const grpcDoor: Door = {
  name: 'gRPC, by reflection',
  async attempt({ grpc: address, key, symbol, price }) {
    if (address === null) throw new Missing('no gateway for gRPC: GRPC_ADDRESS names one');
    const loaded = loadPackageDefinition(
      loadFileDescriptorSetFromBuffer(setOf(await describedBy(address)), {
        keepCase: true,
        longs: Number,
        arrays: true,
      }),
    );
    const Service = loaded[SERVICE] as unknown as ServiceClientConstructor;
    const client = new Service(address, credentials.createInsecure());
    const metadata = new Metadata();
    metadata.set('x-api-key', key.id);
    metadata.set('x-api-secret', key.secret);
    const call = (method: string, request: object): Promise<Told> =>
      new Promise((resolve, reject) => {
        const unary = (client as unknown as Record<string, Unary>)[method]?.bind(client);
        unary?.(request, metadata, { deadline: Date.now() + WAIT_MS }, (error, message) =>
          error === null ? resolve(message) : reject(error),
        );
      });
    try {
      const client_order_id = `try-grpc-${crypto.randomUUID().slice(0, 8)}`;
      const order = { symbol, side: 'buy', type: 'limit', price: Number(price), size: 1, client_order_id };
      const placed = await call('PlaceOrder', order);
      const { bids } = await call('GetOrderBook', { symbol, depth: 50 });
      const level = (bids as readonly Level[]).find((each) => each.price === Number(price));
      if (level === undefined) throw new Error('the book does not show the order');
      const cancelled = await call('CancelOrder', { order_id: placed.order_id });
      return {
        placed: String(placed.order_id),
        seen: `${level.size} at ${level.price} in the book`,
        cancelled: String(cancelled.status ?? 'answered'),
      };
    } finally {
      client.close();
    }
  },
};

/** The files of the service, as the gateway has them. */
async function describedBy(address: string): Promise<readonly Buffer[]> {
  const loaded = loadPackageDefinition(loadSync(REFLECTION, { keepCase: true })) as unknown as {
    grpc: { reflection: { v1: { ServerReflection: ServiceClientConstructor } } };
  };
  const client: Client = new loaded.grpc.reflection.v1.ServerReflection(address, credentials.createInsecure());
  const { ServerReflectionInfo: ask } = client as unknown as {
    ServerReflectionInfo(metadata: Metadata, options: CallOptions): ClientDuplexStream<object, Answer>;
  };
  const stream = ask.call(client, new Metadata(), { deadline: Date.now() + WAIT_MS });
  try {
    const answer = await new Promise<Answer>((resolve, reject) => {
      stream.once('data', resolve).once('error', reject);
      stream.write({ file_containing_symbol: SERVICE });
    });
    const files = answer.file_descriptor_response?.file_descriptor_proto;
    if (files === undefined) throw new Error(`the gateway does not describe ${SERVICE}`);
    return files;
  } finally {
    stream.on('error', () => undefined).cancel();
    client.close();
  }
}

/** A FileDescriptorSet: its field 1 is each of the files. */
function setOf(files: readonly Buffer[]): Buffer {
  return Buffer.concat(files.flatMap((file) => [Buffer.from([0x0a, ...varint(file.length)]), file]));
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}
