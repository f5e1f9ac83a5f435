import { ConnectError } from '@connectrpc/connect';
import type { ApiError } from '../../../protocol/errors/api-error.ts';
import { ErrorInfoSchema, RetryInfoSchema } from '../../../protocol/rpc/error_details_pb.ts';
import { errorInfoOf, retryInfoOf } from '../../../protocol/rpc/error-info-of.ts';
import { type RpcFailure, rpcFailure } from '../../../protocol/rpc/rpc-failure.ts';

/** A failure as the Connect and gRPC-Web protocols carry it: the same codes, details and `x-error-code` as through the gateway. */
export function connectErrorOf({ rpcCode, code, message, details }: RpcFailure): ConnectError {
  const retry = retryInfoOf(details);
  return new ConnectError(message, rpcCode as number, { 'x-error-code': code }, [
    { desc: ErrorInfoSchema, value: errorInfoOf(code, details) },
    ...(retry === null ? [] : [{ desc: RetryInfoSchema, value: retry }]),
  ]);
}

/** Ends a call with an error of the REST interface. Throwing is how Connect ends calls; it goes no further than its router. */
export function refuse({ code, message, details }: ApiError): never {
  throw connectErrorOf(rpcFailure(code, message, details));
}
