import { createRoute, z } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import { createProfile, registerRoute } from '../../../../workers/middleware/profile.ts';

declare global {
  interface ImportMeta {
    /** Vite's, for reading sources inside the Workers runtime. */
    glob(pattern: string, options: { query: '?raw'; import: 'default'; eager: true }): Record<string, string>;
  }
}

const sources = import.meta.glob('../../../../workers/**/*.ts', { query: '?raw', import: 'default', eager: true });

describe('a route', () => {
  const route = createRoute({ method: 'get', path: '/v1/anything', responses: { 200: { description: 'ok' } } });
  const profile = () => createProfile({ name: 'book', title: 't', fieldNames: 'snake_case', description: 'd' });

  it.each([
    [{}, 'access'],
    [{ access: { credential: 'public' } }, 'rate bucket'],
    [{ access: {}, bucket: 'public' }, 'access'],
  ])('declared as %j does not register', (declaration, lacking) => {
    const register = () => registerRoute(profile(), declaration as never, route, (c) => c.body(null, 200));
    expect(register).toThrow(`does not declare its ${lacking}`);
  });

  it('registers with a query whose names its schema tells alone', () => {
    const register = (query: z.ZodType) => {
      const into = profile();
      const of = createRoute({ ...route, request: { query: query as z.ZodObject } });
      registerRoute(into, { access: { credential: 'public' }, bucket: 'public' }, of, (c) => c.body(null, 200));
      return into.routes[0]?.queryNames;
    };
    expect(register(z.object({ status: z.string(), limit: z.string() }))).toEqual(['status', 'limit']);
    expect(() => register(z.record(z.string(), z.string()))).toThrow('does not tell the names of its query');
    expect(() => register(z.looseObject({ side: z.string() }))).toThrow('does not tell the names of its query');
  });

  it('registers once', () => {
    const into = profile();
    const register = () =>
      registerRoute(into, { access: { credential: 'public' }, bucket: 'public' }, route, (c) => c.body(null, 200));
    register();
    expect(register).toThrow('registered twice');
  });

  it('has no way around registerRoute: only the middleware makes Hono apps or adds routes to one', () => {
    expect(Object.keys(sources).length).toBeGreaterThan(50);
    const around = Object.entries(sources)
      .filter(([path]) => !path.includes('/workers/middleware/'))
      .filter(([, source]) =>
        /\bnew (OpenAPI)?Hono\b|\.openapi\(\s*createRoute|\.(get|post|put|patch|delete|all|on)\(\s*['"`]\//.test(
          source,
        ),
      )
      .map(([path]) => path);
    expect(around).toEqual([]);
  });
});
