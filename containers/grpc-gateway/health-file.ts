import { create, fromBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  DescriptorProtoSchema,
  type FieldDescriptorProto,
  FieldDescriptorProtoSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import type { MethodDefinition } from '@grpc/proto-loader';
import { service } from 'grpc-health-check';

/** health.proto as grpc-health-check serves it, which names the types of fields within their scope; here they are named in full. */
export function healthFile(): FileDescriptorProto {
  const { Check } = service as unknown as Readonly<Record<'Check', MethodDefinition<object, object>>>;
  const file = fromBinary(FileDescriptorProtoSchema, Check.requestType.fileDescriptorProtos[0] ?? new Uint8Array());
  const scope = `.${file.package}`;
  const declared = new Set(file.messageType.flatMap((message) => namesIn(message, scope)));
  const messageType = file.messageType.map((message) => inFull(message, scope, declared));
  return create(FileDescriptorProtoSchema, { ...file, name: 'grpc/health/v1/health.proto', messageType });
}

/** A message, and what is declared within it, by full names. */
function namesIn({ name, nestedType, enumType }: DescriptorProto, scope: string): string[] {
  const own = `${scope}.${name}`;
  return [own, ...enumType.map((one) => `${own}.${one.name}`), ...nestedType.flatMap((inner) => namesIn(inner, own))];
}

function inFull(message: DescriptorProto, scope: string, declared: ReadonlySet<string>): DescriptorProto {
  const own = `${scope}.${message.name}`;
  return create(DescriptorProtoSchema, {
    ...message,
    field: message.field.map((field) => withFullType(field, own, declared)),
    nestedType: message.nestedType.map((inner) => inFull(inner, own, declared)),
  });
}

/** The type of a field is looked for in its message, then further out, as protobuf resolves names. */
function withFullType(
  field: FieldDescriptorProto,
  message: string,
  declared: ReadonlySet<string>,
): FieldDescriptorProto {
  if (field.typeName === '' || field.typeName.startsWith('.')) return field;
  for (let scope = message; scope !== ''; scope = scope.slice(0, scope.lastIndexOf('.'))) {
    const typeName = `${scope}.${field.typeName}`;
    if (declared.has(typeName)) return create(FieldDescriptorProtoSchema, { ...field, typeName });
  }
  throw new Error(`${field.typeName} is declared nowhere`);
}
