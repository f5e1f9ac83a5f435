import { createContextValues } from '@connectrpc/connect';
import type { UniversalHandler } from '@connectrpc/connect/protocol';
import { createRoute, z } from '@hono/zod-openapi';
import type { ApiError } from '../../../protocol/errors/api-error.ts';
import type { RouteDeclaration } from '../../middleware/access.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { REFUSAL, REQUEST } from './request-of.ts';
import { tradingService } from './trading-service.ts';

/** What each call needs: the same as the REST call that does it. */
const DECLARATIONS: Readonly<Record<string, RouteDeclaration>> = {
  PlaceOrder: { access: { credential: 'key', scope: 'trade' }, bucket: 'orders' },
  CancelOrder: { access: { credential: 'key', scope: 'trade' }, bucket: 'cancels' },
  GetOrderBook: { access: { credential: 'public' }, bucket: 'public' },
  StreamTrades: { access: { credential: 'public' }, bucket: 'public' },
  StreamOrderBook: { access: { credential: 'public' }, bucket: 'public' },
};

/** The query of a GET, by the protocol of Connect; the handler reads it. */
const ConnectGet = z.object(
  Object.fromEntries(
    ['connect', 'encoding', 'message', 'base64', 'compression'].map((name) => [name, z.string().optional()]),
  ),
);

/** `/TradingService/<Method>` over Connect (JSON or protobuf) and gRPC-Web, for clients that no gateway stands in front of. */
export function callRpcRoute(profile: Profile): void {
  for (const handler of tradingService.handlers) {
    const declaration = DECLARATIONS[handler.method.name];
    if (declaration === undefined) throw new Error(`${handler.method.name} does not declare its access`);
    for (const method of handler.allowedMethods) {
      registerRoute(
        profile,
        { ...declaration, takesBody: method === 'POST', refused: (c, error) => answerRefusal(c, handler, error) },
        createRoute({
          method: method === 'GET' ? 'get' : 'post',
          path: handler.requestPath as `/${string}`,
          request: { query: method === 'GET' ? ConnectGet : z.object({}) },
          // Described by trading.proto, not by OpenAPI.
          hide: true,
          responses: { 200: { description: 'Connect or gRPC-Web.' } },
        }),
        (c) => answer(c, handler, null) as never,
      );
    }
  }
}

/** A refusal in the caller's protocol, or as REST has it where the caller speaks none. */
function answerRefusal(c: AppContext, handler: UniversalHandler, error: ApiError): Promise<Response> | Response {
  const speaksProtocol =
    c.req.method === 'GET'
      ? c.req.query('encoding') !== undefined
      : handler.supportedContentType(c.req.header('content-type') ?? '');
  return speaksProtocol ? answer(c, handler, error) : failure(c, error);
}

async function answer(c: AppContext, handler: UniversalHandler, refusal: ApiError | null): Promise<Response> {
  const { method, url, headers, signal } = c.req.raw;
  const gone = new AbortController();
  const answered = await handler({
    httpVersion: '',
    method,
    url,
    header: headers,
    // Read here, because the access check may have read it before.
    body: bytes(refusal === null && method === 'POST' ? new Uint8Array(await c.req.arrayBuffer()) : new Uint8Array()),
    signal: AbortSignal.any([signal, gone.signal]),
    contextValues: createContextValues().set(REQUEST, c).set(REFUSAL, refusal),
  });
  const body = answered.body === undefined ? null : streamOf(answered.body, () => gone.abort());
  return new Response(body, { status: answered.status, ...(answered.header ? { headers: answered.header } : {}) });
}

async function* bytes(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}

/**
 * A response's chunks, each made when it can be sent.
 *
 * @param onGone called when the client goes before the end. Connect would throw into its iterator instead, which a stream that waits
 * for its next message does not notice.
 */
function streamOf(chunks: AsyncIterable<Uint8Array>, onGone: () => void): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: onGone,
  });
}
