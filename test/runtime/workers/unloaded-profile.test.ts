import { exports } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';

vi.mock('../../../workers/iam/app.ts', () => ({
  get iam() {
    throw new Error('this module does not load');
  },
}));

afterEach(() => {
  vi.restoreAllMocks();
});

it('a profile whose module does not load answers 500 with an error body and logs why; the others answer', async () => {
  const lines: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
  const answer = await exports.default.fetch('http://localhost/iam/healthz');
  expect([answer.status, await answer.json()]).toMatchObject([500, { error: { code: 'INTERNAL_ERROR' } }]);
  expect(answer.headers.get('x-request-id')).not.toBeNull();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'bug', profile: 'iam', message: expect.stringMatching(/./) },
  ]);
  expect((await exports.default.fetch('http://localhost/book/healthz')).status).toBe(200);
});
