import { describe, expect, it } from 'vitest';
import { call } from '../../fixtures/call.ts';

describe('a method that a path does not take', () => {
  it.each([
    ['PUT /book/v1/orders', 'DELETE, GET, HEAD, POST'],
    ['POST /book/v1/markets', 'GET, HEAD'],
    ['DELETE /exchange/v1/assets/acme', 'GET, HEAD'],
    ['GET /exchange/v1/auth/tenant-token', 'POST'],
  ])('%s is 405, and Allow names those that it takes', async (target, allow) => {
    const { status, headers, body } = await call(target);
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe(allow);
    expect(body).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED', details: { allowed: allow.split(', ') } } });
  });

  it('is 404 on a path that nothing takes', async () => {
    expect((await call('PUT /book/v1/nothing')).status).toBe(404);
    expect((await call('PUT /book/v1/orders/a/b/c')).status).toBe(404);
  });
});
