export type { AccountFacts, Principal } from '../../domain/identity/principal.ts';
