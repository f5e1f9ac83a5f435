import type { BrokerOrderTerms, BrokerReplacement, Decimal, SubmitAnswer } from '../../domain/broker/broker-client.ts';
import type { SandboxFaults } from '../../domain/sandbox-broker/faults.ts';
import type { VenueReport } from '../../domain/sandbox-broker/sandbox-order.ts';
import type { Answer, SandboxVenueApi } from '../broker/sandbox-venue.ts';

/** The sandbox broker's trade in one symbol. */
export interface SandboxBrokerApi extends SandboxVenueApi {
  submitMany(orders: readonly BrokerOrderTerms[]): Answer<readonly SubmitAnswer[]>;
  replace(clientOrderId: string, change: BrokerReplacement): Answer<null>;
  /** What the router sent to each venue of an order, and what it filled; null without the order. Quantities scaled by SANDBOX_SCALE. */
  routing(clientOrderId: string): Promise<Readonly<Record<string, VenueReport>> | null>;
  /** What goes wrong from now on. False where the var SANDBOX_FAULTS does not allow it. */
  setFaults(faults: SandboxFaults | null): Promise<boolean>;
  /** Takes an execution back, once. False where there is no such execution, or SANDBOX_FAULTS does not allow it. */
  bust(executionId: string): Promise<boolean>;
  /** Corrects an execution. False as for `bust`, and where the terms cannot be taken. */
  correct(executionId: string, terms: { readonly price: Decimal; readonly quantity: Decimal }): Promise<boolean>;
}

/** A fresh stub of a symbol's broker. After an exception a stub stays broken, so one is made for every call. */
export function sandboxBrokerOf(
  env: { readonly SANDBOX_BROKER: { getByName(name: string): unknown } },
  symbol: string,
): SandboxBrokerApi {
  return env.SANDBOX_BROKER.getByName(symbol) as SandboxBrokerApi;
}
