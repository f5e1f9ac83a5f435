import { DEMO_PEOPLE } from '../../application/seed/demo-people.ts';
import { type Session, signIn } from '../local/session.ts';
import { followToExecution, type OrderTerms, placeOrder } from './order-life.ts';
import { tradePreIpo } from './pre-ipo.ts';
import { settleTrades } from './settlement.ts';

/** Verified by a third party, so that every offering is open to her. */
const TRADER = 'alice';
/** Verified, too: the other side of a private security. */
const COUNTERPARTY = 'frank';
const OPERATOR = 'olivia';

/** Categories whose orders go to somebody outside, and what is bought and sold of each. */
const OUTSIDE = [
  { category: 'stocks', assetId: 'aapl', quantity: 2 },
  { category: 'fixed-income', assetId: 'ust10', quantity: 3 },
  { category: 'commodities', assetId: 'xau', quantity: 1 },
  { category: 'forex', assetId: 'eur', quantity: 500 },
  { category: 'crypto', assetId: 'btc', quantity: 0.01 },
] as const;

type Say = (text: string) => void;

/** Buys and sells on all seven categories. @throws Error at the first answer that is not right */
export async function runRails(origin: string, say: Say): Promise<void> {
  const [trader, counterparty, operator] = await Promise.all([
    signInAs(origin, TRADER),
    signInAs(origin, COUNTERPARTY),
    signInAs(origin, OPERATOR),
  ]);
  for (const { category, assetId, quantity } of OUTSIDE) {
    say(`\n${category}: ${assetId.toUpperCase()}`);
    for (const side of ['BUY', 'SELL'] as const) await trade(trader, { assetId, side, quantity }, say);
    await settleTrades({ trader, operator }, assetId, say);
  }
  await tradePrivate(trader, counterparty, say);
  await settleTrades({ trader, operator }, 'acme', say);
  await tradePreIpo({ trader, counterparty, operator }, say);
}

function signInAs(origin: string, name: string): Promise<Session> {
  const phone = DEMO_PEOPLE.find((person) => person.name === name)?.phone;
  if (phone === undefined || phone === null) throw new Error(`the demo has nobody named ${name} with a phone`);
  return signIn(origin, phone, 'demo-app');
}

async function trade(session: Session, terms: OrderTerms, say: Say): Promise<void> {
  await followToExecution(session, await placeOrder(session, terms, say), say);
}

/** Orders of two parties meet on the book of the security. */
async function tradePrivate(trader: Session, counterparty: Session, say: Say): Promise<void> {
  say('\nprivates: ACME');
  const shares = { assetId: 'acme', quantity: 5 };
  for (const [side, other] of [
    ['BUY', 'SELL'],
    ['SELL', 'BUY'],
  ] as const) {
    await counterparty.call('POST /v1/orders', { ...shares, side: other, orderType: 'limit', limitPrice: 25 });
    await trade(trader, { ...shares, side, limitPrice: 25 }, say);
  }
}
