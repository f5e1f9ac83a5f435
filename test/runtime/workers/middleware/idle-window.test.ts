import { beforeAll, expect, it } from 'vitest';
import { call } from '../../fixtures/call.ts';
import { freshAddress } from '../../fixtures/fresh-address.ts';
import { migrate } from '../../fixtures/migrate.ts';

beforeAll(async () => {
  await migrate();
});

it('a minute stays a minute for a caller who pauses until an idle object would be dropped', async () => {
  const address = freshAddress();
  const remaining = async () => (await call('GET /book/v1/time', { address })).headers.get('x-ratelimit-remaining');
  await remaining();
  await remaining();
  await scheduler.wait(12_000);
  expect(await remaining()).toBe('97');
});
