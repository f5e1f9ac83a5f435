import { RPC_CODE, type RpcCode } from './rpc-code.ts';
import { rpcCodeOf } from './rpc-code-of.ts';

/** An expected failure of a call, as a value. */
export interface RpcFailure {
  readonly rpcCode: RpcCode;
  /** Error code, as REST answers it. */
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A failure with an error code of the exchange; its gRPC status follows from the code. */
export function rpcFailure(code: string, message: string, details: RpcFailure['details'] = {}): RpcFailure {
  return { rpcCode: rpcCodeOf(code), code, message, details };
}

/** The call was given up: by its deadline or by the client, who then does not hear this. */
export const GIVEN_UP: RpcFailure = {
  rpcCode: RPC_CODE.CANCELLED,
  code: 'CANCELLED',
  message: 'the call was given up',
  details: {},
};
