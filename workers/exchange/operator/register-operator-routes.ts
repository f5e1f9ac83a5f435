import type { Profile } from '../../middleware/profile.ts';
import { registerChangeAccountFacts } from './change-account-facts.ts';
import { registerChangeMarketRules } from './change-market-rules.ts';
import { registerCreateDeposit } from './create-deposit.ts';
import { registerCreateWithdrawal } from './create-withdrawal.ts';
import { registerFreezeAccount } from './freeze-account.ts';
import { registerGetAccount } from './get-account.ts';
import { registerGetAudit } from './get-audit.ts';
import { registerHaltMarket } from './halt-market.ts';
import { registerHaltVenue } from './halt-venue.ts';
import { registerListAccounts } from './list-accounts.ts';
import { registerListBooks } from './list-books.ts';

/** What people who run the exchange need: money in and out, compliance facts, halts, market rules, the state of books, the audit. */
export function registerOperatorRoutes(exchange: Profile): void {
  registerCreateDeposit(exchange);
  registerCreateWithdrawal(exchange);
  registerListAccounts(exchange);
  registerGetAccount(exchange);
  registerChangeAccountFacts(exchange);
  registerFreezeAccount(exchange);
  registerHaltMarket(exchange);
  registerChangeMarketRules(exchange);
  registerHaltVenue(exchange);
  registerListBooks(exchange);
  registerGetAudit(exchange);
}
