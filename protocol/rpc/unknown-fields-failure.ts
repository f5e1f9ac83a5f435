import type { Message } from '@bufbuild/protobuf';
import { type RpcFailure, rpcFailure } from './rpc-failure.ts';

/**
 * Why a request is not done as it is stated: it has fields that this side does not know, a term of a newer client's say. Protobuf reads past them; an order without one of its
 * terms is another order. Null when each field is known.
 */
export function unknownFieldsFailure({ $unknown: unknown = [] }: Pick<Message, '$unknown'>): RpcFailure | null {
  const [first] = unknown;
  if (first === undefined) return null;
  const details = { field: String(first.no), reason: 'unknown_field' };
  return rpcFailure('VALIDATION_ERROR', `this interface has no field ${first.no}`, details);
}
