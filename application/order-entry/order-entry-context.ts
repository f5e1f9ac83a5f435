import type { Principal } from '../../domain/identity/principal.ts';

/** Who acts, on which bindings. */
export interface OrderEntryContext {
  readonly env: Env;
  readonly principal: Principal;
  /** Whether the request repeats one whose answer was lost: what it asks for may be done already. */
  readonly isRepetition?: boolean;
}
