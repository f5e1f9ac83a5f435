import { create, toBinary } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import type { Metadata, StatusObject } from '@grpc/grpc-js';
import { ErrorInfoSchema, RetryInfoSchema, StatusSchema } from '../../protocol/rpc/error_details_pb.ts';
import { errorInfoOf, retryInfoOf } from '../../protocol/rpc/error-info-of.ts';
import type { RpcFailure } from '../../protocol/rpc/rpc-failure.ts';

/**
 * The failure as a gRPC status: ErrorInfo (and RetryInfo) of Google's error model in `grpc-status-details-bin`, the code also by itself
 * in `x-error-code`. `trailers` goes with it.
 */
export function rpcStatusOf({ rpcCode, code, message, details }: RpcFailure, trailers: Metadata): StatusObject {
  const retry = retryInfoOf(details);
  const status = create(StatusSchema, {
    code: rpcCode,
    message,
    details: [
      anyPack(ErrorInfoSchema, errorInfoOf(code, details)),
      ...(retry === null ? [] : [anyPack(RetryInfoSchema, retry)]),
    ],
  });
  trailers.set('grpc-status-details-bin', Buffer.from(toBinary(StatusSchema, status)));
  trailers.set('x-error-code', code);
  return { code: rpcCode, details: message, metadata: trailers };
}
