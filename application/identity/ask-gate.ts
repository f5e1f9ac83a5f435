import { drawOnAddress } from '../../durable-objects/credentials/count-first.ts';
import { type AddressAnswer, type AddressDraw, type GateApi, gateOf } from '../../durable-objects/gate/api.ts';
import { log } from '../../durable-objects/log/log.ts';
import { describeBug } from '../log/describe-bug.ts';
import { askAgain } from '../objects/ask-again.ts';

/** Asks a Gate object, a second time where it was lost. Null when it stays out of reach: then nobody is let through. */
export function askGate<T>(env: Env, name: string, ask: (gate: GateApi) => Promise<T>): Promise<T | null> {
  return inReach(() => ask(gateOf(env, name)));
}

/** Counts a caller by its address. Null when the Gate of the address stays out of reach. */
export function askAddress(env: Env, draw: AddressDraw): Promise<AddressAnswer | null> {
  return drawOnAddress((name, ask) => askGate(env, name, ask), draw);
}

async function inReach<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await askAgain(ask);
  } catch (error) {
    log('error', 'Gate out of reach', describeBug(error));
    return null;
  }
}
