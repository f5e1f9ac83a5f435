import { join } from 'node:path';
import { loadSync, type MessageTypeDefinition } from '@grpc/proto-loader';
import { describe, expect, test } from 'vitest';
import { file_trading } from './trading_pb.ts';

interface Field {
  readonly name: string;
  readonly number: number;
}

const PROTO = join(import.meta.dirname, '..', '..', 'containers', 'grpc-gateway', 'trading.proto');
const loaded = loadSync(PROTO, { keepCase: true });

const fieldsOf = (message: string): [string, number][] =>
  ((loaded[message] as MessageTypeDefinition<object, object>).type as { field: Field[] }).field.map(
    ({ name, number }) => [name, number],
  );

describe('trading.proto', () => {
  test('has the fields of OrderRequest and OrderResponse under the numbers of the specification', () => {
    expect(fieldsOf('OrderRequest').slice(0, 5)).toEqual([
      ['symbol', 1],
      ['side', 2],
      ['type', 3],
      ['price', 4],
      ['size', 5],
    ]);
    expect(fieldsOf('OrderResponse').slice(0, 3)).toEqual([
      ['order_id', 1],
      ['status', 2],
      ['timestamp', 3],
    ]);
  });

  test('is what trading_pb.ts was generated from', () => {
    for (const { name, field } of file_trading.proto.messageType)
      expect(fieldsOf(name)).toEqual(field.map(({ name: wire, number }) => [wire, number]));
    expect(Object.keys(loaded.TradingService ?? {})).toEqual(
      file_trading.proto.service[0]?.method.map(({ name }) => name),
    );
  });
});
