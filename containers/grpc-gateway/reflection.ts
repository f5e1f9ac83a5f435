import { create, createFileRegistry, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import type { handleBidiStreamingCall, MethodDefinition, Server } from '@grpc/grpc-js';
import {
  ServerReflection,
  type ServerReflectionRequest,
  ServerReflectionRequestSchema,
  type ServerReflectionResponse,
  ServerReflectionResponseSchema,
} from '../../protocol/rpc/reflection_pb.ts';
import { file_trading, TradingService } from '../../protocol/rpc/trading_pb.ts';

/** gRPC status NOT_FOUND and UNIMPLEMENTED, as reflection answers them within a message. */
const NOT_FOUND = 5;
const UNIMPLEMENTED = 12;

const SERVICES = [TradingService.typeName, 'grpc.health.v1.Health', ServerReflection.typeName];
const FILE_BYTES = toBinary(FileDescriptorProtoSchema, file_trading.proto);
const registry = createFileRegistry(file_trading.proto, () => undefined);

/**
 * Server reflection, v1 and v1alpha, of trading.proto. Written here because @grpc/reflection 1.0.4 answers under a leading dot for a
 * service that has no package, and so nothing under its name.
 */
export function addReflection(server: Server): void {
  const answer: handleBidiStreamingCall<ServerReflectionRequest, ServerReflectionResponse> = (call) => {
    call.on('data', (request: ServerReflectionRequest) => call.write(reflect(request)));
    call.on('end', () => call.end());
  };
  for (const version of ['v1', 'v1alpha']) {
    const method = definition(`/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`);
    server.addService({ ServerReflectionInfo: method }, { ServerReflectionInfo: answer });
  }
}

/** @internal */
export function reflect(request: ServerReflectionRequest): ServerReflectionResponse {
  return create(ServerReflectionResponseSchema, {
    validHost: request.host,
    originalRequest: request,
    messageResponse: responseTo(request.messageRequest),
  });
}

type Response = NonNullable<MessageInitShape<typeof ServerReflectionResponseSchema>['messageResponse']>;

function responseTo(asked: ServerReflectionRequest['messageRequest']): Response {
  switch (asked.case) {
    case 'listServices':
      return { case: 'listServicesResponse', value: { service: SERVICES.map((name) => ({ name })) } };
    case 'fileByFilename':
      return asked.value === file_trading.proto.name ? tradingFile() : refused(NOT_FOUND, asked.value);
    case 'fileContainingSymbol':
      return isInTradingFile(asked.value) ? tradingFile() : refused(NOT_FOUND, asked.value);
    default:
      return refused(UNIMPLEMENTED, 'the exchange has no extensions');
  }
}

/** Messages and services by name, methods and fields by that of what has them and a dot. */
function isInTradingFile(symbol: string): boolean {
  const [parent = '', member] = symbol.split('.');
  const found = registry.get(parent);
  if (found === undefined || member === undefined) return found !== undefined;
  if (found.kind === 'service') return found.methods.some(({ name }) => name === member);
  return found.kind === 'message' && found.fields.some(({ name }) => name === member);
}

function tradingFile(): Response {
  return { case: 'fileDescriptorResponse', value: { fileDescriptorProto: [FILE_BYTES] } };
}

function refused(errorCode: number, errorMessage: string): Response {
  return { case: 'errorResponse', value: { errorCode, errorMessage } };
}

function definition(path: string): MethodDefinition<ServerReflectionRequest, ServerReflectionResponse> {
  return {
    path,
    requestStream: true,
    responseStream: true,
    requestSerialize: (message) => Buffer.from(toBinary(ServerReflectionRequestSchema, message)),
    requestDeserialize: (bytes) => fromBinary(ServerReflectionRequestSchema, bytes),
    responseSerialize: (message) => Buffer.from(toBinary(ServerReflectionResponseSchema, message)),
    responseDeserialize: (bytes) => fromBinary(ServerReflectionResponseSchema, bytes),
  };
}
