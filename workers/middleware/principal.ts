export type { AccountFacts, Principal, Role, Scope } from '../../domain/identity/principal.ts';
