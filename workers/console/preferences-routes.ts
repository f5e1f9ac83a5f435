import { createRoute, z } from '@hono/zod-openapi';
import { askAgain } from '../../application/objects/ask-again.ts';
import { consoleUserOf } from '../../durable-objects/console-user/api.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { bodyOf, jsonOf } from '../responses/wire.ts';

const BYTES_MAX = 16 * 1_024;
const WATCHED_MAX = 200;
const TABLES_MAX = 100;
const COLUMNS_MAX = 60;
const NAME_LENGTH_MAX = 64;

const name = z.string().min(1).max(NAME_LENGTH_MAX);

const Preferences = z
  .strictObject({
    locale: z
      .string()
      .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/)
      .max(35)
      .nullable(),
    time_zone: z
      .string()
      .regex(/^[A-Za-z0-9_+/-]+$/)
      .max(NAME_LENGTH_MAX)
      .nullable(),
    theme: z.enum(['light', 'dark', 'system']),
    density: z.enum(['comfortable', 'compact']),
    home: z
      .string()
      .regex(/^\/[\w/:-]*$/)
      .max(128),
    trading_keys: z.boolean().openapi({
      description: 'On an asset’s page, `b` and `s` begin an order wherever the focus is.',
    }),
    single_keys: z.boolean().default(true).openapi({
      description: 'Whether keys without Ctrl do anything (WCAG 2.2, 2.1.4). True where it is left out.',
    }),
    confirm_orders_above: z
      .number()
      .min(0)
      .max(1e12)
      .nullable()
      .openapi({ description: 'US dollars; null for never.' }),
    watchlist: z
      .array(z.string().min(1).max(NAME_LENGTH_MAX))
      .max(WATCHED_MAX)
      .openapi({ description: 'Ids of assets.' }),
    columns: z
      .record(name, z.array(name).max(COLUMNS_MAX))
      .refine((tables) => Object.keys(tables).length <= TABLES_MAX, `at most ${TABLES_MAX} tables`),
    version: z.int().min(0).openapi({ description: 'Of what was read; 0 where there was nothing.' }),
  })
  .openapi('Preferences');

type Chosen = Omit<z.infer<typeof Preferences>, 'version'>;

/** Of somebody who has chosen nothing: the browser's own language and time zone. */
const DEFAULTS: Chosen = {
  locale: null,
  time_zone: null,
  theme: 'system',
  density: 'comfortable',
  home: '/',
  trading_keys: false,
  single_keys: true,
  confirm_orders_above: null,
  watchlist: [],
  columns: {},
};

/** How a person likes the console, on every device. */
export function preferencesRoutes(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'console', session: 'own' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/preferences',
      summary: 'Preferences of whoever is signed in',
      responses: { 200: jsonOf('The preferences.', Preferences) },
    }),
    async (c) => {
      const stored = await askAgain(() => consoleUserOf(c.env, principalOf(c).userId).readPreferences());
      if (stored === null) return c.json({ ...DEFAULTS, version: 0 }, 200);
      return c.json({ ...DEFAULTS, ...(JSON.parse(stored.text) as Chosen), version: stored.version }, 200);
    },
  );
  registerRoute(
    profile,
    {
      access: { credential: 'console', session: 'own' },
      bucket: 'private',
      bodyBytesMax: BYTES_MAX,
      errors: ['CONFLICT'],
    },
    createRoute({
      method: 'put',
      path: '/v1/preferences',
      summary: 'Replace the preferences',
      description:
        'With the version that was read: where another device has written since, CONFLICT with `details.version`.',
      request: { body: bodyOf(Preferences) },
      responses: { 200: jsonOf('As they are now.', Preferences) },
    }),
    async (c) => {
      const { version, ...chosen } = c.req.valid('json');
      const object = consoleUserOf(c.env, principalOf(c).userId);
      const written = await object.writePreferences(JSON.stringify(chosen), version);
      if (written.written) return c.json({ ...chosen, version: written.version }, 200);
      const details = { reason: 'version', version: written.version };
      return failure(c, apiError('CONFLICT', 'the preferences were changed elsewhere', details));
    },
  );
}
