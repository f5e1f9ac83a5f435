import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { BookClient } from '../../fixtures/book-client.ts';
import { migrate } from '../../fixtures/migrate.ts';

beforeAll(async () => {
  await migrate();
});

/** What is left to an address after a request of its own. */
async function remaining(headers: Readonly<Record<string, string>>): Promise<number> {
  const answer = await new BookClient({ 'cf-connecting-ip': '10.9.9.9', ...headers }).get('/v1/markets');
  return Number(answer.headers.get('x-ratelimit-remaining'));
}

describe('the address that a gateway forwards', () => {
  it('counts in place of its own when the gateway proves itself', async () => {
    const gateway = { 'x-gateway-secret': env.GATEWAY_SECRET };
    const first = await remaining({ ...gateway, 'x-gateway-client-address': '10.1.2.3' });
    expect(await remaining({ ...gateway, 'x-gateway-client-address': '10.1.2.3' })).toBe(first - 1);
    expect(await remaining({ ...gateway, 'x-gateway-client-address': '2001:db8::7' })).toBe(first);
  });

  it('is not believed from anybody else', async () => {
    const before = await remaining({});
    const forged = { 'x-gateway-client-address': '10.7.7.7' };
    expect(await remaining(forged)).toBe(before - 1);
    expect(await remaining({ ...forged, 'x-gateway-secret': 'a guess' })).toBe(before - 2);
    expect(await remaining({ ...forged, 'x-gateway-secret': '' })).toBe(before - 3);
  });
});
