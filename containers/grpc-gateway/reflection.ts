import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import type { handleBidiStreamingCall, MethodDefinition, Server } from '@grpc/grpc-js';
import {
  type ServerReflectionRequest,
  ServerReflectionRequestSchema,
  type ServerReflectionResponse,
  ServerReflectionResponseSchema,
} from '../../protocol/rpc/reflection_pb.ts';
import { fileDeclaring, fileNamed, SERVICES } from './described-files.ts';

/** gRPC status INVALID_ARGUMENT and NOT_FOUND, as reflection answers them within a message. */
const INVALID_ARGUMENT = 3;
const NOT_FOUND = 5;

/**
 * Server reflection, v1 and v1alpha, of every service of the gateway, itself included. Written here because @grpc/reflection 1.0.4 answers under a leading dot for a
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

function reflect(request: ServerReflectionRequest): ServerReflectionResponse {
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
      return answerOf(fileNamed(asked.value), asked.value);
    case 'fileContainingSymbol':
      return answerOf(fileDeclaring(asked.value), asked.value);
    case 'allExtensionNumbersOfType':
      // No file has extensions.
      return fileDeclaring(asked.value) === null
        ? refused(NOT_FOUND, asked.value)
        : { case: 'allExtensionNumbersResponse', value: { baseTypeName: asked.value } };
    case 'fileContainingExtension':
      return refused(NOT_FOUND, `${asked.value.containingType} has no extensions`);
    case undefined:
      return refused(INVALID_ARGUMENT, 'nothing is asked for');
  }
}

function answerOf(file: FileDescriptorProto | null, asked: string): Response {
  if (file === null) return refused(NOT_FOUND, asked);
  return {
    case: 'fileDescriptorResponse',
    value: { fileDescriptorProto: [toBinary(FileDescriptorProtoSchema, file)] },
  };
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
