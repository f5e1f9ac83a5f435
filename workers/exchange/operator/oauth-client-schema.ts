import { z } from '@hono/zod-openapi';
import { CLIENT_KINDS, type ClientWithSecret, clientKindOf } from '../../../application/operator/oauth-clients.ts';
import type { OAuthClient } from '../../../data/identity/oauth-clients.ts';
import { isRedirectUri, REDIRECT_URIS_MAX } from '../../../domain/identity/redirect-uri.ts';
import { lineOfText } from '../../responses/line-of-text.ts';
import { SLUG, SLUG_WORDS } from './asset-schema.ts';

const NAME_LENGTH_MAX = 200;

export const RedirectUris = z
  .array(z.string().refine(isRedirectUri, 'https, loopback over http, or a scheme of its own with a dot; no fragment'))
  .max(REDIRECT_URIS_MAX);

export const ClientRequest = z
  .strictObject({
    id: z.string().regex(SLUG, SLUG_WORDS).openapi({ description: 'The `client_id`.', example: 'lakeside-app' }),
    owner: z.string().min(1).openapi({ description: 'Organization id.' }),
    name: lineOfText(NAME_LENGTH_MAX),
    kind: z.enum(CLIENT_KINDS).openapi({
      description:
        '`application`: people sign in through it by phone and one-time code, and it has no secret. `machine`: it has one, and speaks for a user by the grant `client_credentials`.',
    }),
    userId: z.string().min(1).nullable().default(null).openapi({
      description:
        'Whom a machine client speaks for: a user that was made as a `service`, or a person. A person agrees by `POST /iam/v1/clients/{id}/secret`, which shows the secret to them alone.',
    }),
    redirectUris: RedirectUris.default([]).openapi({
      description:
        'Where an application may be answered when people sign in through it by a browser: the same text, on loopback at any port. Empty: it does not.',
    }),
    postLogoutRedirectUris: RedirectUris.default([]).openapi({
      description: 'Where people may be sent who have signed out through an application: the same text.',
    }),
  })
  .openapi('OperatorOAuthClientRequest');

export const ClientView = z
  .object({
    id: z.string(),
    owner: z.string(),
    name: z.string(),
    kind: z.enum(CLIENT_KINDS),
    userId: z.string().nullable(),
    redirectUris: z.array(z.string()),
    postLogoutRedirectUris: z.array(z.string()),
    createdAt: z.iso.datetime(),
    revokedAt: z.iso.datetime().nullable(),
    waitingSince: z.iso.datetime().nullable().openapi({
      description:
        'Since when its secret opens nothing, until it has another: after a kill switch, or the end of an operator who was shown it.',
    }),
    agreedAt: z.iso.datetime().nullable().openapi({ description: 'When the person that it speaks for agreed.' }),
  })
  .openapi('OperatorOAuthClient');

export const ClientWithSecretView = ClientView.extend({
  secret: z
    .string()
    .nullable()
    .openapi({ description: 'Shown this once; null for an application, and for a client that speaks for a person.' }),
}).openapi('OperatorOAuthClientWithSecret');

export function clientView(client: OAuthClient): z.infer<typeof ClientView> {
  const { id, owner, name, userId, redirectUris, postLogoutRedirectUris } = client;
  const { createdAt, revokedAt, waitingSince, agreedAt } = client;
  return {
    id,
    owner,
    name,
    kind: clientKindOf(client),
    userId,
    redirectUris: [...redirectUris],
    postLogoutRedirectUris: [...postLogoutRedirectUris],
    createdAt: new Date(createdAt).toISOString(),
    revokedAt: momentOf(revokedAt),
    waitingSince: momentOf(waitingSince),
    agreedAt: momentOf(agreedAt),
  };
}

function momentOf(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

export function clientWithSecretView({ client, secret }: ClientWithSecret): z.infer<typeof ClientWithSecretView> {
  return { ...clientView(client), secret };
}
