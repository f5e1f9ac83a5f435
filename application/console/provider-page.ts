import { isEmbedded } from './console-client.ts';

/** A page of the embedded identity provider, where a person does what is theirs to do. Where pages of another provider stand is not known: null. */
export function providerPage(
  env: Pick<Env, 'IAM_JWKS_URL' | 'IAM_ISSUER'>,
  page: 'security' | 'identity',
): string | null {
  return isEmbedded(env) ? `${env.IAM_ISSUER}/${page}` : null;
}
