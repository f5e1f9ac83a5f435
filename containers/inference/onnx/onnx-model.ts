import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** Operators as of ONNX 1.8 (opset 13), which every runtime of the last years has. */
const OPSET = 13;
const IR_VERSION = 7;

type ElementType = 'float' | 'uint8' | 'int64';

/** One operator: what it is, what it reads and what it writes, by name. */
export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Whole numbers, lists of them, texts; fractions as `{ float }`. */
  readonly attributes?: Readonly<Record<string, number | readonly number[] | string | { readonly float: number }>>;
}

/** Weights that the graph carries. */
export interface OnnxConstant {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array | BigInt64Array;
}

/** An input or output of the whole graph; a size that is a name is free. */
export interface OnnxValue {
  readonly name: string;
  readonly type: ElementType;
  readonly shape: readonly (number | string)[];
}

export interface OnnxGraph {
  readonly name: string;
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly nodes: readonly OnnxNode[];
  readonly constants: readonly OnnxConstant[];
}

/** Writes a graph as the bytes of an .onnx file: the messages of onnx.proto, by their field numbers. */
export function encodeOnnxModel({ name, inputs, outputs, nodes, constants }: OnnxGraph): Uint8Array<ArrayBuffer> {
  const model = new BinaryWriter();
  model.tag(1, WireType.Varint).int64(IR_VERSION);
  message(model, 7, (graph) => {
    for (const node of nodes) message(graph, 1, (writer) => writeNode(writer, node));
    text(graph, 2, name);
    for (const constant of constants) message(graph, 5, (writer) => writeConstant(writer, constant));
    for (const value of inputs) message(graph, 11, (writer) => writeValue(writer, value));
    for (const value of outputs) message(graph, 12, (writer) => writeValue(writer, value));
  });
  message(model, 8, (operators) => operators.tag(2, WireType.Varint).int64(OPSET));
  return model.finish();
}

function writeNode(writer: BinaryWriter, { op, inputs, outputs, attributes = {} }: OnnxNode): void {
  for (const input of inputs) text(writer, 1, input);
  for (const output of outputs) text(writer, 2, output);
  text(writer, 4, op);
  for (const [name, value] of Object.entries(attributes))
    message(writer, 5, (attribute) => writeAttribute(attribute, name, value));
}

/** Numbers of AttributeProto.AttributeType. */
const ATTRIBUTE_TYPE = { float: 1, int: 2, text: 3, ints: 7 } as const;

function writeAttribute(writer: BinaryWriter, name: string, value: NonNullable<OnnxNode['attributes']>[string]): void {
  text(writer, 1, name);
  const typed = (type: keyof typeof ATTRIBUTE_TYPE) => writer.tag(20, WireType.Varint).int32(ATTRIBUTE_TYPE[type]);
  if (typeof value === 'string') {
    text(writer, 4, value);
    typed('text');
  } else if (typeof value === 'number') {
    writer.tag(3, WireType.Varint).int64(value);
    typed('int');
  } else if ('float' in value) {
    writer.tag(2, WireType.Bit32).float(value.float);
    typed('float');
  } else {
    for (const element of value) writer.tag(8, WireType.Varint).int64(element);
    typed('ints');
  }
}

/** Numbers of TensorProto.DataType. */
export const ELEMENT_TYPE = { float: 1, uint8: 2, int64: 7 } as const;

function writeConstant(writer: BinaryWriter, { name, shape, values }: OnnxConstant): void {
  for (const size of shape) writer.tag(1, WireType.Varint).int64(size);
  writer.tag(2, WireType.Varint).int32(values instanceof Float32Array ? ELEMENT_TYPE.float : ELEMENT_TYPE.int64);
  text(writer, 8, name);
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  writer.tag(9, WireType.LengthDelimited).bytes(bytes);
}

function writeValue(writer: BinaryWriter, { name, type, shape }: OnnxValue): void {
  text(writer, 1, name);
  message(writer, 2, (typeProto) =>
    message(typeProto, 1, (tensor) => {
      tensor.tag(1, WireType.Varint).int32(ELEMENT_TYPE[type]);
      message(tensor, 2, (shapeProto) => {
        for (const size of shape)
          message(shapeProto, 1, (dimension) => {
            if (typeof size === 'number') dimension.tag(1, WireType.Varint).int64(size);
            else text(dimension, 2, size);
          });
      });
    }),
  );
}

function message(writer: BinaryWriter, field: number, write: (inner: BinaryWriter) => void): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write(writer);
  writer.join();
}

function text(writer: BinaryWriter, field: number, value: string): void {
  writer.tag(field, WireType.LengthDelimited).string(value);
}
