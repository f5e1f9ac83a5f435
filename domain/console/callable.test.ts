import { describe, expect, it } from 'vitest';
import { isCallable, isCalledSegment } from './callable.ts';

describe('what a page may call', () => {
  it('is a profile of people', () => {
    for (const segment of ['exchange', 'book', 'iam', 'partner', 'bridge', 'events-service'])
      expect(isCalledSegment(segment)).toBe(true);
    for (const segment of ['agent', 'console', 'events', '', 'Exchange', '..', 'exchange/'])
      expect(isCalledSegment(segment)).toBe(false);
  });

  it.each([
    ['exchange', '/v1/orders'],
    ['exchange', '/v1/operator/venue/halt'],
    ['exchange', '/.well-known/committee'],
    ['book', '/v1/orders/preview'],
    ['book', '/v1/streams-of-mine'],
    ['iam', '/v1/keys'],
    ['iam', '/api/userinfo'],
    ['partner', '/v1/webhooks/01900000-0000-7000-8000-000000000000/test'],
    ['bridge', '/api/v1/transfer'],
    ['events-service', '/cameras/01900000-0000-7000-8000-000000000000'],
    ['events-service', '/v1/faces'],
    ['iam', '/healthz'],
    ['book', '/openapi.json'],
  ] as const)('%s %s is open', (segment, path) => expect(isCallable(segment, path)).toBe(true));

  it.each([
    ['iam', '/api/login/oauth/access_token'],
    ['iam', '/api/login/oauth/authorize'],
    ['iam', '/api/login/oauth/revoke'],
    ['iam', '/api/login/oauth/send-code'],
    ['iam', '/dev/outbox'],
    ['iam', '/.well-known/jwks'],
    ['exchange', '/v1/auth/tenant-token'],
    ['exchange', '/v1/webhooks/prime'],
    ['exchange', '/v1/webhooks/accreditation'],
    ['exchange', '/docs'],
    ['book', '/v1/ws'],
    ['book', '/v1/ws/orders'],
    ['book', '/v1/stream'],
    ['book', '/v1/key-sessions'],
    ['book', '/v1/agent/tool-calls'],
    ['book', '/TradingService/PlaceOrder'],
    ['partner', '/v1/ws/book/01900000-0000-7000-8000-000000000000'],
    ['events-service', '/cameras/01900000-0000-7000-8000-000000000000/frames'],
    ['events-service', '/cameras/01900000-0000-7000-8000-000000000000/frames/batch'],
    ['exchange', '/v10'],
    ['exchange', '/'],
    ['exchange', ''],
  ] as const)('%s %s is closed', (segment, path) => expect(isCallable(segment, path)).toBe(false));
});
