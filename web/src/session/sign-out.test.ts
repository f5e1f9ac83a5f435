import { describe, expect, test } from 'vitest';
import { ApiProblem } from '../api/api-problem.ts';
import { signOut } from './sign-out.ts';

const failing = (status: number) => async () => {
  throw new ApiProblem({ code: 'ANY', message: '', status });
};

describe('signing out', () => {
  test.each([0, 403, 429, 500, 503])('is not done where the answer is %i', async (status) => {
    await expect(signOut(false, failing(status))).rejects.toMatchObject({ status });
    await expect(signOut(true, failing(status))).rejects.toMatchObject({ status });
  });

  test('is done where the session is over already, but for those elsewhere', async () => {
    await expect(signOut(false, failing(401))).resolves.toBeUndefined();
    await expect(signOut(true, failing(401))).rejects.toMatchObject({ status: 401 });
  });
});
