import { createRoute, z } from '@hono/zod-openapi';
import {
  changeMailPreferences,
  mailPreferencesOf,
  type MailPreferences as Preferences,
} from '../../../application/mail/mail-preferences.ts';
import { isMailKind, MAIL_KINDS, MAIL_LANGUAGES, type MailKind } from '../../../domain/mail/mail-kinds.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { principalOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';

const Kind = z.enum(Object.keys(MAIL_KINDS) as [MailKind, ...MailKind[]]);

const MailPreferences = z
  .object({
    address: z.string().nullable().openapi({
      description: 'The confirmed address, masked; null where none is confirmed: then nothing is sent.',
    }),
    language: z.enum(MAIL_LANGUAGES),
    kinds: z.array(
      z.object({
        kind: Kind,
        class: z
          .enum(['security', 'preference'])
          .openapi({ description: 'Mail of `security` cannot be switched off.' }),
        on: z.boolean(),
      }),
    ),
  })
  .openapi('MailPreferences');

const Change = z
  .strictObject({
    language: z.enum(MAIL_LANGUAGES).optional(),
    kinds: z
      .record(z.string().max(100), z.boolean())
      .optional()
      .openapi({ description: 'Kinds of the class `preference`, each on or off. What is not named stays as it is.' }),
  })
  .openapi('MailPreferencesChange');

/** GET and PUT /v1/mail-preferences: what the caller is written to about. */
export function mailPreferencesRoutes(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/mail-preferences',
      summary: 'What the caller gets by mail',
      responses: { 200: envelopeOf('Every kind of mail', MailPreferences) },
    }),
    async (c) => c.json(enveloped(onWire(await mailPreferencesOf(c.env, principalOf(c).userId))), 200),
  );
  registerRoute(
    iam,
    { access: { credential: 'bearer' }, bucket: 'private' },
    createRoute({
      method: 'put',
      path: '/v1/mail-preferences',
      summary: 'Switch kinds of mail on or off',
      description:
        'Mail of security and of the account cannot be switched off: where one is named, nothing is changed.',
      request: { body: { required: true, content: { 'application/json': { schema: Change } } } },
      responses: { 200: envelopeOf('Every kind of mail', MailPreferences) },
    }),
    async (c) => {
      const { language = null, kinds = {} } = c.req.valid('json');
      const unknown = Object.keys(kinds).find((kind) => !isMailKind(kind));
      if (unknown !== undefined)
        return failure(c, apiError('VALIDATION_ERROR', 'no such kind of mail', { field: `kinds.${unknown}` }));
      const { userId } = principalOf(c);
      const switched = new Map(Object.entries(kinds) as [MailKind, boolean][]);
      const fixed = await changeMailPreferences(c.env, userId, { language, switched });
      if (fixed !== null)
        return failure(
          c,
          apiError('VALIDATION_ERROR', 'this mail cannot be switched off', { field: `kinds.${fixed}` }),
        );
      return c.json(enveloped(onWire(await mailPreferencesOf(c.env, userId))), 200);
    },
  );
}

function onWire({ kinds, ...preferences }: Preferences): z.infer<typeof MailPreferences> {
  return { ...preferences, kinds: kinds.map(({ isOn, ...kind }) => ({ ...kind, on: isOn })) };
}
