import type { Actor } from '../../application/identity/recorded-use.ts';
import { type AppContext, credentialOf, principalOf, tokenIssuedAtOf } from '../middleware/app-env.ts';

/** Who is asking, in which request, as the audit trail names them. */
export function actorOf(c: AppContext): Actor {
  return {
    principal: principalOf(c),
    credential: credentialOf(c),
    tokenIssuedAt: tokenIssuedAtOf(c),
    requestId: c.get('requestId'),
  };
}
