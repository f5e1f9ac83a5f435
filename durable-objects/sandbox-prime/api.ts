import type { PrimeFaults } from '../../domain/sandbox-prime/prime-faults.ts';
import type { SandboxVenueApi } from '../broker/sandbox-venue.ts';

/** The sandbox prime broker's trade in one coin. What happens it tells by webhook, too. */
export interface SandboxPrimeApi extends SandboxVenueApi {
  /** What goes wrong from now on. False where the var SANDBOX_FAULTS does not allow it. */
  setFaults(faults: PrimeFaults | null): Promise<boolean>;
}

/** A fresh stub of a coin's prime broker. After an exception a stub stays broken, so one is made for every call. */
export function sandboxPrimeOf(
  env: { readonly SANDBOX_PRIME: { getByName(name: string): unknown } },
  symbol: string,
): SandboxPrimeApi {
  return env.SANDBOX_PRIME.getByName(symbol) as SandboxPrimeApi;
}
