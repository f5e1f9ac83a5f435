/** Fields of a message of protobuf by their number, read without any library; numbers as `bigint`, all else as bytes. */
export type Fields = ReadonlyMap<number, readonly (bigint | Uint8Array)[]>;

export function fieldsOf(bytes: Uint8Array): Fields {
  const fields = new Map<number, (bigint | Uint8Array)[]>();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error('a message that is cut short');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const number = tag >> 3;
    const type = tag & 7;
    if (number === 0 || (type !== 0 && type !== 2)) throw new Error('an invalid tag');
    const value = varint();
    const end = at + Number(value);
    if (type === 2 && end > bytes.length) throw new Error('a message that is cut short');
    fields.set(number, [...(fields.get(number) ?? []), type === 0 ? value : bytes.slice(at, end)]);
    if (type === 2) at = end;
  }
  return fields;
}

export function bytesAt(fields: Fields, number: number): Uint8Array {
  const [value] = fields.get(number) ?? [];
  return value instanceof Uint8Array ? value : new Uint8Array();
}

export function hexAt(fields: Fields, number: number): string {
  return Buffer.from(bytesAt(fields, number)).toString('hex');
}

export function numberAt(fields: Fields, number: number): bigint {
  const [value] = fields.get(number) ?? [];
  return typeof value === 'bigint' ? value : 0n;
}
