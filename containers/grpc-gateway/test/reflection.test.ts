import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  create,
  createFileRegistry,
  type DescMethod,
  type FileRegistry,
  fromBinary,
  toBinary,
} from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import {
  Client,
  type ClientDuplexStream,
  credentials,
  loadPackageDefinition,
  type ServiceClientConstructor,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Gateway, startGateway } from '../start-gateway.ts';
import { type StandInExchange, standInExchange } from './stand-in-exchange.ts';

const SERVICES = [
  'TradingService',
  'grpc.health.v1.Health',
  'grpc.reflection.v1.ServerReflection',
  'grpc.reflection.v1alpha.ServerReflection',
];

let exchange: StandInExchange;
let gateway: Gateway;
let address: string;

beforeEach(async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  exchange = await standInExchange((_, response) => response.end('{}'));
  gateway = await startGateway({
    exchangeUrl: exchange.url,
    host: '127.0.0.1',
    port: 0,
    tls: null,
    proxies: [],
    gatewaySecret: null,
    drain_ms: 200,
  });
  address = `localhost:${gateway.port}`;
});

afterEach(async () => {
  await gateway.drain();
  await exchange.close();
  vi.restoreAllMocks();
});

interface Answer {
  readonly list_services_response?: { readonly service: readonly { readonly name: string }[] };
  readonly file_descriptor_response?: { readonly file_descriptor_proto: readonly Buffer[] };
  readonly all_extension_numbers_response?: { readonly base_type_name: string };
  readonly error_response?: { readonly error_code: number };
}

const PROTO = readFileSync(join(import.meta.dirname, '..', 'reflection.proto'), 'utf8');

/** The protocol's own file of a version, as a client has it. */
function protoOf(version: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'reflection-')), 'reflection.proto');
  writeFileSync(path, PROTO.replace('package grpc.reflection.v1;', `package grpc.reflection.${version};`));
  return path;
}

/** A client of one version of the protocol. */
class ReflectionClient {
  readonly #client: Client;
  readonly #call: ClientDuplexStream<object, Answer>;

  constructor(version: string) {
    const loaded = loadPackageDefinition(loadSync(protoOf(version), { keepCase: true })) as unknown as {
      grpc: { reflection: Record<string, { ServerReflection: ServiceClientConstructor }> };
    };
    const Service = loaded.grpc.reflection[version]?.ServerReflection as ServiceClientConstructor;
    const client = new Service(address, credentials.createInsecure());
    this.#client = client;
    this.#call = (client as unknown as { ServerReflectionInfo(): ClientDuplexStream<object, Answer> })
      .ServerReflectionInfo()
      .on('error', () => undefined);
  }

  ask(request: object): Promise<Answer> {
    return new Promise((resolve) => {
      this.#call.once('data', resolve);
      this.#call.write(request);
    });
  }

  /** The files that a client needs for a symbol, by the way of grpcurl: that of the symbol, then each that it imports. */
  async filesOf(symbol: string): Promise<FileDescriptorProto[]> {
    const answer = await this.ask({ file_containing_symbol: symbol });
    const files = read(answer);
    for (const file of files)
      for (const name of file.dependency) files.push(...read(await this.ask({ file_by_filename: name })));
    return files;
  }

  close(): void {
    this.#call.end();
    this.#client.close();
  }
}

function read({ file_descriptor_response: found }: Answer): FileDescriptorProto[] {
  if (found === undefined) throw new Error('no file came');
  return found.file_descriptor_proto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
}

describe.each(['v1', 'v1alpha'])('server reflection %s', (version) => {
  let client: ReflectionClient;
  beforeEach(() => {
    client = new ReflectionClient(version);
  });
  afterEach(() => client.close());

  test('describes every service that it lists, so that a client can call it', async () => {
    const { list_services_response: listed } = await client.ask({ list_services: '*' });
    expect(listed?.service.map(({ name }) => name)).toEqual(SERVICES);
    const files: FileDescriptorProto[] = [];
    for (const name of SERVICES) files.push(...(await client.filesOf(name)));
    expect(new Set(files.map(({ name }) => name)).size).toBe(SERVICES.length);
    const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: files }));
    expect(SERVICES.map((name) => registry.getService(name)?.methods.map((method) => method.name))).toEqual([
      ['PlaceOrder', 'CancelOrder', 'GetOrderBook', 'StreamTrades', 'StreamOrderBook'],
      ['Check', 'Watch', 'List'],
      ['ServerReflectionInfo'],
      ['ServerReflectionInfo'],
    ]);
    expect(await healthBy(registry)).toMatchObject({ status: 1 });
  });

  test('finds messages, fields, methods and values by their names, and nothing under others', async () => {
    for (const symbol of [
      'TradingService.PlaceOrder',
      'OrderRequest',
      'OrderRequest.price',
      'grpc.health.v1.Health.Check',
      'grpc.health.v1.HealthCheckResponse.ServingStatus',
      'grpc.health.v1.HealthCheckResponse.ServingStatus.SERVING',
      `grpc.reflection.${version}.ServerReflectionRequest.message_request`,
    ])
      expect((await client.filesOf(symbol)).length).toBe(1);
    for (const request of [
      { file_containing_symbol: 'Nothing' },
      { file_containing_symbol: 'OrderRequest.nothing' },
      { file_by_filename: 'nothing.proto' },
      { all_extension_numbers_of_type: 'Nothing' },
    ])
      expect((await client.ask(request)).error_response?.error_code).toBe(5);
    const extensions = await client.ask({ all_extension_numbers_of_type: 'OrderRequest' });
    expect(extensions.all_extension_numbers_response?.base_type_name).toBe('OrderRequest');
  });
});

/** Calls Health.Check with nothing but what reflection has told. */
function healthBy(registry: FileRegistry): Promise<object> {
  const [check] = registry.getService('grpc.health.v1.Health')?.methods ?? [];
  const { input, output, parent, name } = check as DescMethod;
  const client = new Client(address, credentials.createInsecure());
  return new Promise((resolve, reject) =>
    client.makeUnaryRequest(
      `/${parent.typeName}/${name}`,
      (message: Record<string, unknown>) => Buffer.from(toBinary(input, create(input, message))),
      (bytes) => fromBinary(output, bytes),
      { service: 'TradingService' },
      (error, answer) => {
        client.close();
        if (error === null) resolve(answer as object);
        else reject(error);
      },
    ),
  );
}
