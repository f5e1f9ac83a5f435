import type { Principal } from '../middleware/principal.ts';

/** Who acts, on which bindings. */
export interface OrderEntryContext {
  readonly env: Env;
  readonly principal: Principal;
}
