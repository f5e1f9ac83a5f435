import { DEMO_PEOPLE } from '../../application/seed/demo-people.ts';
import { type Session, signIn } from '../local/session.ts';
import { OutsideListener } from './outside-listener.ts';
import { applyAsPartner, type PartnerSession } from './partner-session.ts';

const OPERATOR = 'olivia';
const STEP_MS = 250;
const WAIT_MS = 60_000;
const FIVE_MINUTES_CRON = '*/5 * * * *';

const LISTER_EVENTS = ['trade.executed', 'settlement.finalized'];

type Say = (text: string) => void;

interface Venue {
  readonly origin: string;
  readonly operator: Session;
  readonly lister: PartnerSession;
  readonly agent: PartnerSession;
  readonly say: Say;
}

interface Investor {
  readonly name: string;
  readonly investorId: string;
  readonly accountId: string;
}

interface ListedSecurity {
  readonly id: string;
  readonly symbol: string;
}

/** Both kinds of partner run their business, from onboarding to reports. @throws Error at the first answer that is not right */
export async function runPartner(origin: string, say: Say): Promise<void> {
  const venue = await onboard(origin, say);
  const security = await list(venue);
  const agentEvents = ['transfer.initiated', 'transfer.completed', 'dividend.declared', 'corporate_action.announced'];
  // One of each ordering.
  const listeners = {
    lister: await OutsideListener.registered(venue.lister, LISTER_EVENTS, 'none'),
    backOffice: await OutsideListener.registered(venue.lister, LISTER_EVENTS, 'endpoint'),
    agent: await OutsideListener.registered(venue.agent, agentEvents, 'security'),
  };
  try {
    const seller = await introduce(venue, 'Priya Raman', 0);
    const buyer = await introduce(venue, 'Juniper Winters', 5_000);
    await issue(venue, security, seller, 100);
    const trade = await tradeShares(venue, security, seller, buyer);
    await listeners.lister.verified('trade.executed');
    await listeners.agent.verified('transfer.initiated');
    say('  trade.executed and transfer.initiated arrived and verify');
    await record(venue, trade);
    await listeners.agent.verified('transfer.completed');
    for (const each of [listeners.lister, listeners.backOffice]) await each.verified('settlement.finalized');
    say('  transfer.completed and settlement.finalized arrived and verify');
    await poll(venue);
    say('  GET /v1/events has the trade and its settlement, too');
    await compare(venue, security, [
      [seller, 60],
      [buyer, 40],
    ]);
    await payDividend(venue, security);
    await listeners.agent.verified('dividend.declared');
    await split(venue, security);
    await listeners.agent.verified('corporate_action.announced');
    say('  dividend.declared and corporate_action.announced arrived and verify');
    await compare(venue, security, [
      [seller, 90],
      [buyer, 60],
    ]);
    await printReports(venue, security);
  } finally {
    for (const listener of Object.values(listeners)) listener.stop();
  }
}

/** What a partner reads who can open no port. */
async function poll({ lister }: Venue): Promise<void> {
  type Events = { readonly events: readonly { readonly webhook_event: { readonly event_type: string } }[] };
  const { events } = await lister.call<Events>('GET /v1/events?wait=5');
  const types = new Set(events.map(({ webhook_event: { event_type } }) => event_type));
  for (const type of LISTER_EVENTS) if (!types.has(type)) throw new Error(`GET /v1/events lists no ${type}`);
}

async function onboard(origin: string, say: Say): Promise<Venue> {
  say('onboarding');
  const phone = DEMO_PEOPLE.find(({ name }) => name === OPERATOR)?.phone;
  if (phone === undefined || phone === null) throw new Error('the demo has no operator with a phone');
  const operator = await signIn(origin, phone, 'demo-app');
  const contact = { contact_email: 'desk@example.com' };
  const lister = await applyAsPartner(origin, {
    role: 'cross_lister',
    name: 'Northwind ATS LLC',
    crd_number: '123456',
    ...contact,
  });
  await operator.call(`POST /v1/operator/partners/${lister.id}/approve`, { reason: 'agreement signed' });
  say(`  cross-lister ${lister.id} is approved by an operator`);
  // Of numbers that end in 997 to 999 the simulated verifier says something else.
  const number = `${String(Date.now() % 10_000).padStart(4, '0')}0`;
  const agent = await applyAsPartner(origin, {
    role: 'transfer_agent',
    name: 'Harbor Transfer Co.',
    sec_registration_number: `84-${number}`,
    ...contact,
  });
  await agent.call('GET /v1/transfers');
  say(`  transfer agent ${agent.id} is verified under 84-${number}`);
  return { origin, operator, lister, agent, say };
}

async function list({ lister, agent, operator, say }: Venue): Promise<ListedSecurity> {
  say('\nlisting');
  const { security_id: id } = await lister.call<{ security_id: string }>('POST /v1/securities', {
    asset_name: 'Lakeside Robotics Series B Preferred',
    asset_type: 'private_security',
    security_class: 'preferred_stock',
    share_class: 'Series B',
    issuer_id: 'LSR-0042',
    issuer_name: 'Lakeside Robotics, Inc.',
    issuer_type: 'private_corporation',
    cusip: null,
    isin: null,
    currency: 'USD',
    last_valuation_price: 42.5,
    last_valuation_date: '2026-06-30',
    restrictions: {
      legend_required: true,
      rule_144_holding_period_met: false,
      transfer_restrictions: 'Right of first refusal of the issuer',
      lock_up_expiry_date: null,
    },
    transfer_agent_id: agent.id,
  });
  const symbol = `LSR${id.replaceAll('-', '').slice(-5).toUpperCase()}`;
  await operator.call(`POST /v1/operator/securities/${id}/list`, { symbol, reason: 'reviewed' });
  await agent.call(`POST /v1/securities/${id}/agent`, { accepted: true });
  say(`  ${symbol} is listed, and its agent has accepted`);
  return { id, symbol };
}

async function introduce({ lister, operator, say }: Venue, name: string, cash: number): Promise<Investor> {
  const { investor_id: investorId } = await lister.call<{ investor_id: string }>('POST /v1/investors', {
    name,
    account_type: 'individual',
    country: 'US',
    us_person: true,
  });
  const account = await lister.call<{ account_id: string }>(`POST /v1/investors/${investorId}/accounts`);
  await until(`the record of ${name}`, async () => {
    const { checks } = await lister.call<{ checks: { status: string }[] }>(
      `GET /v1/investors/${investorId}/compliance`,
    );
    return checks.every(({ status }) => status === 'passed');
  });
  if (cash > 0)
    await operator.call('POST /v1/operator/deposits', {
      accountId: account.account_id,
      assetId: 'usd',
      amount: cash,
      reason: 'wire received',
    });
  say(`  ${name} is introduced, and every check has passed`);
  return { name, investorId, accountId: account.account_id };
}

async function issue({ agent, say }: Venue, { id }: ListedSecurity, to: Investor, shares: number): Promise<void> {
  await agent.call(`POST /v1/captable/${id}/issuances`, {
    account_id: to.accountId,
    shares,
    certificate_number: 'LSRB-1001',
    restriction_ends_at: null,
  });
  say(`  ${shares} shares are issued to ${to.name}`);
}

/** @returns the trade's id */
async function tradeShares(venue: Venue, { id }: ListedSecurity, seller: Investor, buyer: Investor): Promise<string> {
  const { lister, agent, say } = venue;
  say('\ntrading');
  const broker_dealer = { firm_name: 'Northwind Securities LLC', crd_number: '123456' };
  const terms = {
    security_id: id,
    order_type: 'limit',
    quantity: 40,
    price: 43.25,
    time_in_force: 'day',
    broker_dealer,
  };
  for (const [side, investor] of [
    ['sell', seller],
    ['buy', buyer],
  ] as const) {
    const of = { investor_id: investor.investorId, account_id: investor.accountId };
    const { status } = await lister.call<{ status: string }>('POST /v1/orders', { ...terms, ...of, side });
    say(`  ${investor.name}: ${side} 40 at 43.25 is ${status}`);
  }
  let trade = '';
  await until('the transfer of the trade', async () => {
    const { transfers } = await agent.call<{ transfers: { trade_id: string }[] }>(
      `GET /v1/transfers?security_id=${id}`,
    );
    trade = transfers[0]?.trade_id ?? '';
    return trade !== '';
  });
  return trade;
}

async function record({ agent, lister, say }: Venue, trade: string): Promise<void> {
  const record_date = new Date().toISOString();
  await agent.call(`POST /v1/transfers/${trade}/acknowledge`, { acknowledged: true, record_date });
  const { status } = await agent.call<{ status: string }>(`POST /v1/transfers/${trade}/complete`, {
    status: 'completed',
    record_date,
    new_certificate_number: 'LSRB-1042',
    legend_applied: true,
    cap_table_updated_at: record_date,
  });
  const settlement = await lister.call<{ status: string }>(`GET /v1/settlements/${trade}`);
  say(`  the agent has acknowledged and ${status} the transfer; the settlement is ${settlement.status}`);
}

/** Cap table and ledger, share by share. */
async function compare(
  { agent, operator, say }: Venue,
  { id }: ListedSecurity,
  expected: readonly (readonly [Investor, number])[],
): Promise<void> {
  const { holders } = await agent.call<{ holders: { account_id: string; shares: number; pending_shares: number }[] }>(
    `GET /v1/captable/${id}/holders`,
  );
  for (const [{ name, accountId }, shares] of expected) {
    const registered = holders.find(({ account_id }) => account_id === accountId);
    const { data } = await operator.call<{
      data: { balances: { assetId: string; available: number; held: number }[] };
    }>(`GET /v1/operator/accounts/${accountId}`);
    const balance = data.balances.find(({ assetId }) => assetId === id);
    const inLedger = (balance?.available ?? 0) + (balance?.held ?? 0);
    if (registered?.shares !== shares || registered.pending_shares !== 0 || inLedger !== shares)
      throw new Error(`${name} has ${inLedger} in the ledger, ${registered?.shares} in the register, not ${shares}`);
    say(`  ${name}: ${shares} in the register, ${inLedger} in the ledger`);
  }
}

interface Action {
  readonly corporate_action_id: string;
  readonly status: string;
  readonly waiting_for: string | null;
}

async function payDividend(venue: Venue, { id }: ListedSecurity): Promise<void> {
  const { agent, lister, say } = venue;
  say('\ndividend of 0.25 a share');
  const treasury = await introduce(venue, 'Lakeside Treasury Winters', 1_000);
  const now = new Date().toISOString();
  const { corporate_action_id: action } = await agent.call<Action>('POST /v1/corporate-actions', {
    security_id: id,
    action_type: 'dividend',
    record_date: now,
    payment_date: now,
    amount_per_share: 0.25,
    currency: 'USD',
    description: 'Annual dividend',
  });
  await lister.call(`POST /v1/corporate-actions/${action}/payment-account`, { account_id: treasury.accountId });
  await carriedOut(venue, action);
  const { payments } = await agent.call<{
    payments: { name: string; shares: number; amount: number; status: string }[];
  }>(`GET /v1/corporate-actions/${action}/payments`);
  for (const { name, shares, amount, status } of payments) say(`  ${name}: ${amount} for ${shares} shares, ${status}`);
  const sum = payments.reduce((total, { amount, status }) => total + (status === 'paid' ? amount : 0), 0);
  if (sum !== 25) throw new Error(`the dividend has paid ${sum}, not 25`);
}

async function split(venue: Venue, { id }: ListedSecurity): Promise<void> {
  venue.say('\nsplit of 3 for 2');
  const { corporate_action_id: action } = await venue.agent.call<Action>('POST /v1/corporate-actions', {
    security_id: id,
    action_type: 'stock_split',
    effective_date: new Date().toISOString(),
    ratio_from: 2,
    ratio_to: 3,
    description: 'Three for two',
  });
  await carriedOut(venue, action);
}

/** The jobs of every five minutes are asked for, as their timer does. */
async function carriedOut({ origin, agent, say }: Venue, action: string): Promise<void> {
  await until(`action ${action}`, async () => {
    const asked = new URLSearchParams({ cron: FIVE_MINUTES_CRON });
    await (await fetch(`${origin}/cdn-cgi/handler/scheduled?${asked}`)).text();
    const { status, waiting_for } = await agent.call<Action>(`GET /v1/corporate-actions/${action}`);
    say(`  the action is ${status}${waiting_for === null ? '' : `, waits for ${waiting_for}`}`);
    return status === 'completed';
  });
}

async function printReports({ agent, say }: Venue, { id }: ListedSecurity): Promise<void> {
  say('\nreports');
  const [from, to] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
  const year = new Date().getUTCFullYear();
  for (const report of [
    `shareholder-register?security_id=${id}`,
    `transfer-log?from=${from}&to=${to}`,
    `dividend-history?from=${from}&to=${to}`,
    `form-ta-2?year=${year}`,
  ]) {
    const page = await agent.text(`/v1/reports/${report}&format=html`);
    if (!page.startsWith('<!doctype html>') || !page.includes('<tbody>')) throw new Error(`${report} is no page`);
    const csv = await agent.text(`/v1/reports/${report}&format=csv`);
    say(`  ${report.split('?')[0]}:`);
    for (const line of csv.trimEnd().split('\r\n')) say(`    ${line}`);
  }
}

async function until(what: string, isDone: () => Promise<boolean>): Promise<void> {
  for (let waited_ms = 0; waited_ms < WAIT_MS; waited_ms += STEP_MS) {
    if (await isDone()) return;
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
  throw new Error(`${what} did not come`);
}
