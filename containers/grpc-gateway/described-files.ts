import {
  create,
  createFileRegistry,
  type DescEnum,
  type DescExtension,
  type DescMessage,
  type DescService,
  fromJsonString,
  toJsonString,
} from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { file_reflection, ServerReflection } from '../../protocol/rpc/reflection_pb.ts';
import { file_trading, TradingService } from '../../protocol/rpc/trading_pb.ts';
import { healthFile } from './health-file.ts';

const REFLECTION_V1 = 'grpc.reflection.v1';
const REFLECTION_V1ALPHA = 'grpc.reflection.v1alpha';

const ALPHA_FILE = fromJsonString(
  FileDescriptorProtoSchema,
  toJsonString(FileDescriptorProtoSchema, file_reflection.proto).replaceAll(REFLECTION_V1, REFLECTION_V1ALPHA),
);

/** Services of the gateway, by their full names. */
export const SERVICES: readonly string[] = [
  TradingService.typeName,
  'grpc.health.v1.Health',
  ServerReflection.typeName,
  ServerReflection.typeName.replace(REFLECTION_V1, REFLECTION_V1ALPHA),
];

/** Their files. None imports another, and each has the name that gRPC gives it, so that a client may hold them all. */
const FILES: readonly FileDescriptorProto[] = [
  file_trading.proto,
  healthFile(),
  named(file_reflection.proto, 'grpc/reflection/v1/reflection.proto'),
  named(ALPHA_FILE, 'grpc/reflection/v1alpha/reflection.proto'),
];

const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: [...FILES] }));

export function fileNamed(name: string): FileDescriptorProto | null {
  return FILES.find((file) => file.name === name) ?? null;
}

/** The file that declares a message, enum or service, or a method, field or value of one: `TradingService.PlaceOrder`. */
export function fileDeclaring(symbol: string): FileDescriptorProto | null {
  const end = symbol.lastIndexOf('.');
  return registry.get(symbol)?.file.proto ?? fileOfMember(symbol.slice(0, Math.max(0, end)), symbol.slice(end + 1));
}

function fileOfMember(parent: string, member: string): FileDescriptorProto | null {
  const found = registry.get(parent);
  return found !== undefined && membersOf(found).some(({ name }) => name === member) ? found.file.proto : null;
}

function membersOf(
  declared: DescMessage | DescEnum | DescService | DescExtension,
): readonly { readonly name: string }[] {
  switch (declared.kind) {
    case 'message':
      return [...declared.fields, ...declared.oneofs];
    case 'enum':
      return declared.values;
    case 'service':
      return declared.methods;
    case 'extension':
      return [];
  }
}

function named(file: FileDescriptorProto, name: string): FileDescriptorProto {
  return create(FileDescriptorProtoSchema, { ...file, name });
}
