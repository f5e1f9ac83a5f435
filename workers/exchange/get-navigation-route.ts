import { createRoute, z } from '@hono/zod-openapi';
import { type Profile, registerRoute } from '../middleware/profile.ts';

const Category = z.object({ id: z.string(), label: z.string() });

const Navigation = z
  .object({ rails: z.array(z.object({ id: z.string(), label: z.string(), categories: z.array(Category) })) })
  .openapi('Navigation');

/** It changes with a deployment. */
const NAVIGATION_SECONDS = 3_600;

/** The three rails and their categories (X-SVC-01, X-NAV-01). */
const NAVIGATION: z.infer<typeof Navigation> = {
  rails: [
    {
      id: 'public',
      label: 'Public markets',
      categories: [
        { id: 'stocks', label: 'Stocks' },
        { id: 'fixed-income', label: 'Fixed income' },
        { id: 'commodities', label: 'Commodities' },
        { id: 'forex', label: 'Forex' },
      ],
    },
    {
      id: 'private',
      label: 'Private markets',
      categories: [
        { id: 'privates', label: 'Private companies' },
        { id: 'pre-ipo', label: 'Pre-IPO' },
      ],
    },
    { id: 'digital', label: 'Digital assets', categories: [{ id: 'crypto', label: 'Crypto' }] },
  ],
};

/** GET /v1/navigation. */
export function getNavigationRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'public' }, bucket: 'public', edge: { seconds: NAVIGATION_SECONDS } },
    createRoute({
      method: 'get',
      path: '/v1/navigation',
      tags: ['assets'],
      summary: 'Market rails and their categories',
      responses: { 200: { description: 'The rails.', content: { 'application/json': { schema: Navigation } } } },
    }),
    (c) => c.json(NAVIGATION, 200),
  );
}
