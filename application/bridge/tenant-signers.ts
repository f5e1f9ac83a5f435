import { listSigningModes } from '../../data/bridge/tenants.ts';
import { database } from '../../data/database.ts';
import type { SigningMode } from '../../domain/bridge/tenant.ts';
import { isOfOneOperator, signersFault } from '../../domain/bridge/vault-signing.ts';
import { hasOwnSigners } from '../../durable-objects/signer/api.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import type { Tenant } from './tenant-at.ts';

type SignersEnv = Pick<Env, 'ENVIRONMENT' | 'BRIDGE_SIGNERS'>;

/** Why no transfer of a tenant begins: its signers are not those that it has to have. Null where they are. */
export function signersRefusal(
  env: SignersEnv,
  {
    organization,
    signingMode: mode,
    isSingleOperator,
  }: Pick<Tenant, 'signingMode' | 'isSingleOperator'> & {
    readonly organization: string;
  },
): ApiError | null {
  return refusalOf(env, organization, [{ mode, isSingleOperator }]);
}

/** Why an organization's signers make no key now: none of its tenants may have such signers, or one has to have others. Null where nothing is in the way. */
export async function keyRefusal(env: SignersEnv & Pick<Env, 'DB'>, organization: string): Promise<ApiError | null> {
  const stated = await listSigningModes(database(env.DB), organization);
  const tenants = stated.map(({ signingMode: mode, singleOperator }) => ({ mode, isSingleOperator: singleOperator }));
  const isSingleOperator = tenants.some((tenant) => tenant.isSingleOperator);
  const modes = tenants.length === 0 ? (['native'] as const) : tenants.map(({ mode }) => mode);
  return refusalOf(
    env,
    organization,
    modes.map((mode) => ({ mode, isSingleOperator })),
  );
}

/** Whether one operator runs all five signers of a tenant. */
export function hasOneOperator(
  env: Pick<Env, 'BRIDGE_SIGNERS'>,
  { organization, isSingleOperator }: Pick<Tenant, 'organization' | 'isSingleOperator'>,
): boolean {
  return isOfOneOperator({
    isSingleOperator,
    hasOwnSigners: organization !== null && hasOwnSigners(env, organization),
  });
}

function refusalOf(
  env: SignersEnv,
  organization: string,
  tenants: readonly { readonly mode: SigningMode; readonly isSingleOperator: boolean }[],
): ApiError | null {
  const of = { hasOwnSigners: hasOwnSigners(env, organization), isLocal: env.ENVIRONMENT === 'local' };
  for (const { mode, isSingleOperator } of tenants) {
    const fault = signersFault({ mode, isSingleOperator, ...of });
    if (fault === 'not_connected')
      return apiError('CONFLICT', 'the signers of this tenant are not connected', { signing_mode: mode });
    if (fault === 'single_operator')
      return apiError(
        'CONFLICT',
        'one operator would run all five signers: BRIDGE_SIGNERS has to name five addresses, or operators state the tenant as one of a single operator',
        { signing_mode: mode, reason: 'single_operator' },
      );
  }
  return null;
}
