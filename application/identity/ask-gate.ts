import { type GateApi, gateOf } from '../../durable-objects/gate/api.ts';
import { log } from '../../durable-objects/log/log.ts';
import { describeBug } from '../log/describe-bug.ts';

/**
 * Asks a Gate object, on a fresh stub a second time where the first was lost (a deployment restarts objects). Null when it stays out of
 * reach: then nobody is let through.
 */
export async function askGate<T>(env: Env, name: string, ask: (gate: GateApi) => Promise<T>): Promise<T | null> {
  try {
    return await ask(gateOf(env, name));
  } catch {
    try {
      return await ask(gateOf(env, name));
    } catch (error) {
      log('error', 'Gate out of reach', describeBug(error));
      return null;
    }
  }
}
