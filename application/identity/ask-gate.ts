import { type GateApi, gateNameOfKey, gateOf } from '../../durable-objects/gate/api.ts';
import { log } from '../../durable-objects/log/log.ts';
import { describeBug } from '../log/describe-bug.ts';
import { askAgain } from '../objects/ask-again.ts';

/** Asks a Gate object, a second time where it was lost. Null when it stays out of reach: then nobody is let through. */
export function askGate<T>(env: Env, name: string, ask: (gate: GateApi) => Promise<T>): Promise<T | null> {
  return inReach(() => ask(gateOf(env, name)));
}

/** Name of the Gate that knows an API key, or null for a key that does not exist. */
export function findGateOfKey(env: Env, keyId: string): Promise<{ readonly name: string | null } | null> {
  return inReach(async () => ({ name: await gateNameOfKey(env, keyId) }));
}

async function inReach<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await askAgain(ask);
  } catch (error) {
    log('error', 'Gate out of reach', describeBug(error));
    return null;
  }
}
