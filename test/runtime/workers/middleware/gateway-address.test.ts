import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import worker from '../../../../workers/index.ts';
import { BookClient } from '../../fixtures/book-client.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { stopClock } from '../../fixtures/stop-clock.ts';

beforeAll(async () => {
  await migrate();
});

// What is left of a minute is compared.
beforeEach(stopClock);

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

  it('I-20: is not believed where people sign in, whoever has its secret', async () => {
    const left = async (address: string) => {
      const ctx = createExecutionContext();
      const headers = {
        'cf-connecting-ip': '10.9.9.8',
        'x-gateway-secret': env.GATEWAY_SECRET,
        'x-gateway-client-address': address,
      };
      const request = new Request('http://localhost/iam/.well-known/jwks', { headers });
      const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], env, ctx);
      await waitOnExecutionContext(ctx);
      return Number(response.headers.get('x-ratelimit-remaining'));
    };
    const first = await left('10.1.2.4');
    expect(first).toBeGreaterThan(0);
    expect(await left('10.1.2.5')).toBe(first - 1);
  });

  it('is not believed from anybody else', async () => {
    const before = await remaining({});
    const forged = { 'x-gateway-client-address': '10.7.7.7' };
    expect(await remaining(forged)).toBe(before - 1);
    expect(await remaining({ ...forged, 'x-gateway-secret': 'a guess' })).toBe(before - 2);
    expect(await remaining({ ...forged, 'x-gateway-secret': '' })).toBe(before - 3);
  });
});

describe('the address of a caller', () => {
  const remainingIn = async (bindings: Partial<Env>, headers: Readonly<Record<string, string>>) => {
    const ctx = createExecutionContext();
    const request = new Request('http://localhost/book/v1/markets', { headers }) as Parameters<typeof worker.fetch>[0];
    const response = await worker.fetch(request, { ...env, ...bindings }, ctx);
    await waitOnExecutionContext(ctx);
    return Number(response.headers.get('x-ratelimit-remaining'));
  };

  it('is stated by no header where nobody stands in front: a client’s own changes nothing', async () => {
    const local = { CLIENT_ADDRESS_HEADER: '' };
    const first = await remainingIn(local, {});
    for (const [at, name] of ['cf-connecting-ip', 'x-forwarded-for', 'x-real-ip', 'true-client-ip'].entries())
      expect(await remainingIn(local, { [name]: `10.3.2.${at}` })).toBe(first - 1 - at);
  });

  it('is stated by the header that the environment names, and no other', async () => {
    const behindProxy = { CLIENT_ADDRESS_HEADER: 'x-real-ip' };
    const first = await remainingIn(behindProxy, { 'x-real-ip': '10.3.3.1', 'cf-connecting-ip': '10.3.3.2' });
    expect(await remainingIn(behindProxy, { 'x-real-ip': '10.3.3.1', 'cf-connecting-ip': '10.3.3.3' })).toBe(first - 1);
    expect(await remainingIn(behindProxy, { 'x-real-ip': '10.3.3.4', 'cf-connecting-ip': '10.3.3.3' })).toBe(first);
  });
});
