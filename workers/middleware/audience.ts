import { isAgentResource } from '../../domain/identity/agent-resource.ts';
import type { TakesAudience } from '../../durable-objects/credentials/access-token.ts';
import type { AppContext } from './app-env.ts';
import type { RegisteredRoute } from './registered-route.ts';

/** Requests that the agent server makes in this process, for a caller that it has let in. */
const madeByAgent = new WeakSet<Request>();

export function asMadeByAgent(request: Request): Request {
  madeByAgent.add(request);
  return request;
}

/**
 * Tokens of which audiences, beside the exchange's own, open a request. Those that were given for the agent server open it, and the calls that
 * its tools make in this process, which name the key that the token acts under. Sent to any other route they open nothing.
 */
export function audiencesOf(
  c: AppContext,
  { access, takesAudience }: Pick<RegisteredRoute, 'access' | 'takesAudience'>,
): TakesAudience | undefined {
  if (access.credential === 'agent' || madeByAgent.has(c.req.raw))
    return (audience) => isAgentResource(audience, c.env);
  return takesAudience?.(c);
}
