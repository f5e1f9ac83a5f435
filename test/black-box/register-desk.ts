import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { applyAsPartner, type PartnerSession } from '../../scripts/demo-partner/partner-session.ts';
import type { Session } from '../../scripts/local/session.ts';
import type { LocalSystem } from './local-system.ts';
import type { PatientClient } from './patient-client.ts';

/** Looks for what takes a while, half a second apart, beside everything that is killed. */
const LOOKS_MAX = 600;
const TREASURY_USD = 1_000_000;
const HOLDER_ACCOUNTS = 2;
/** Shares double with each. */
const SPLITS_MAX = 4;
const FIVE_MINUTES_CRON = '*/5 * * * *';

type Command = 'issue' | 'issue_outside' | 'import' | 'cancel' | 'dividend' | 'split';

const command = fc.constantFrom<Command>(
  ...Array.from({ length: 6 }, () => ['issue', 'issue_outside', 'import', 'cancel'] as const).flat(),
  'dividend',
  'split',
);

/** A transfer agent at work on the register of one security: it knows what has to stand there in the end. */
export class RegisterDesk {
  /** Shares that its register has to have. */
  shares = 0;
  /** What was done, by kind. */
  readonly done = new Map<Command, number>();
  readonly #system: LocalSystem;
  readonly #client: PatientClient;
  readonly #operator: Session;
  readonly #lister: PartnerSession;
  readonly #agent: PartnerSession;
  #security = '';
  #treasury = '';
  readonly #accounts: string[] = [];
  readonly #dividends: string[] = [];
  #certificates = 0;

  private constructor(
    system: LocalSystem,
    client: PatientClient,
    by: { readonly operator: Session; readonly lister: PartnerSession; readonly agent: PartnerSession },
  ) {
    this.#system = system;
    this.#client = client;
    this.#operator = by.operator;
    this.#lister = by.lister;
    this.#agent = by.agent;
  }

  /** A lister, its agent, a security that the agent has accepted, and investors with accounts. */
  static async open(system: LocalSystem, client: PatientClient, operator: Session): Promise<RegisterDesk> {
    const { origin } = system;
    const contact = { contact_email: 'desk@example.com' };
    const lister = await applyAsPartner(origin, {
      role: 'cross_lister',
      name: 'Soak ATS LLC',
      crd_number: '654321',
      ...contact,
    });
    await operator.call(`POST /v1/operator/partners/${lister.id}/approve`, { reason: 'soak' });
    const agent = await applyAsPartner(origin, {
      role: 'transfer_agent',
      name: 'Soak Transfer Co.',
      sec_registration_number: '84-04711',
      ...contact,
    });
    const desk = new RegisterDesk(system, client, { operator, lister, agent });
    await desk.#list();
    for (let at = 0; at < HOLDER_ACCOUNTS; at++) desk.#accounts.push(await desk.#introduce(`Holder Winters ${at}`));
    desk.#treasury = await desk.#introduce('Treasury Winters');
    const deposit = { accountId: desk.#treasury, assetId: 'usd', amount: TREASURY_USD, reason: 'soak' };
    await operator.call('POST /v1/operator/deposits', deposit);
    return desk;
  }

  /** Does one thing after the other until it is told to stop, whatever is killed meanwhile. */
  async work(seed: number, isOver: () => boolean): Promise<void> {
    for (let batch = 0; !isOver(); batch++)
      for (const next of fc.sample(command, { numRuns: 100, seed: seed + batch })) {
        if (isOver()) return;
        if (await this.#carryOut(next)) this.done.set(next, (this.done.get(next) ?? 0) + 1);
      }
  }

  /** Shares in the register, and US dollars that left the treasury beside those that dividends say were paid. */
  async outcome(): Promise<{ readonly shares: number; readonly spent: number; readonly paid: number }> {
    const table = await this.#get<{ shares_outstanding: number }>(`/v1/captable/${this.#security}`);
    const { data } = await this.#operator.call<{ data: { balances: { assetId: string; available: number }[] } }>(
      `GET /v1/operator/accounts/${this.#treasury}`,
    );
    const left = data.balances.find(({ assetId }) => assetId === 'usd')?.available ?? 0;
    let paid = 0;
    for (const dividend of this.#dividends) {
      const { payments } = await this.#get<{ payments: { amount: number; status: string }[] }>(
        `/v1/corporate-actions/${dividend}/payments`,
      );
      for (const { amount, status } of payments) if (status === 'paid') paid += Math.round(amount * 100);
    }
    return { shares: table.shares_outstanding, spent: Math.round((TREASURY_USD - left) * 100), paid };
  }

  async #list(): Promise<void> {
    const { security_id } = await this.#lister.call<{ security_id: string }>('POST /v1/securities', {
      asset_name: 'Soak Robotics Series B Preferred',
      asset_type: 'private_security',
      security_class: 'preferred_stock',
      share_class: 'Series B',
      issuer_id: 'SOAK-0001',
      issuer_name: 'Soak Robotics, Inc.',
      issuer_type: 'private_corporation',
      cusip: null,
      isin: null,
      currency: 'USD',
      last_valuation_price: 42.5,
      last_valuation_date: '2026-06-30',
      restrictions: {
        legend_required: true,
        rule_144_holding_period_met: false,
        transfer_restrictions: 'none',
        lock_up_expiry_date: null,
      },
      transfer_agent_id: this.#agent.id,
    });
    this.#security = security_id;
    const listing = { symbol: 'SOAKB', reason: 'reviewed' };
    await this.#operator.call(`POST /v1/operator/securities/${security_id}/list`, listing);
    await this.#agent.call(`POST /v1/securities/${security_id}/agent`, { accepted: true });
  }

  async #introduce(name: string): Promise<string> {
    const person = { name, account_type: 'individual', country: 'US', us_person: true };
    const { investor_id } = await this.#lister.call<{ investor_id: string }>('POST /v1/investors', person);
    const { account_id } = await this.#lister.call<{ account_id: string }>(
      `POST /v1/investors/${investor_id}/accounts`,
    );
    let last = '';
    for (let look = 0; look < LOOKS_MAX; look++) {
      const { checks } = await this.#lister.call<{ checks: { status: string }[] }>(
        `GET /v1/investors/${investor_id}/compliance`,
      );
      if (checks.every(({ status }) => status === 'passed')) return account_id;
      last = JSON.stringify(checks);
      await wait(500);
    }
    throw new Error(`the checks of ${name} did not pass: ${last}`);
  }

  /** @returns whether there was anything to do */
  async #carryOut(next: Command): Promise<boolean> {
    const table = `/v1/captable/${this.#security}`;
    switch (next) {
      case 'issue':
      case 'issue_outside': {
        const shares = 1 + (this.#certificates % 50);
        await this.#post(`${table}/issuances`, this.#row(shares, next === 'issue'));
        this.shares += shares;
        return true;
      }
      case 'import': {
        const holders = Array.from({ length: 20 }, (_, at) => this.#row(1 + at, at === 0));
        await this.#post(`${table}/import`, { holders });
        this.shares += (20 * 21) / 2;
        return true;
      }
      case 'cancel': {
        const { holders } = await this.#get<{
          holders: { holder_id: string; account_id: string | null; shares: number }[];
        }>(`${table}/holders`);
        // Shares of accounts go by a corporate action.
        const holder = holders.find((each) => each.account_id === null && each.shares > 1);
        if (holder === undefined) return false;
        await this.#post(`${table}/cancellations`, { holder_id: holder.holder_id, shares: 1 });
        this.shares -= 1;
        return true;
      }
      case 'dividend':
        if (this.shares === 0) return false;
        await this.#payDividend();
        return true;
      case 'split':
        if (this.shares === 0 || (this.done.get('split') ?? 0) >= SPLITS_MAX) return false;
        await this.#announced({
          action_type: 'stock_split',
          effective_date: new Date().toISOString(),
          ratio_from: 1,
          ratio_to: 2,
        });
        this.shares *= 2;
        return true;
    }
  }

  #row(shares: number, isAccount: boolean): object {
    this.#certificates += 1;
    const certificate = { shares, certificate_number: `SOAK-${this.#certificates}`, restriction_ends_at: null };
    if (isAccount) return { ...certificate, account_id: this.#accounts[this.#certificates % HOLDER_ACCOUNTS] };
    const name = `Outside Holder ${this.#certificates}`;
    const reference = `outside-${this.#certificates}`;
    return { ...certificate, holder_reference: reference, holder_name: name, holder_kind: 'individual', country: 'US' };
  }

  async #payDividend(): Promise<void> {
    const now = new Date().toISOString();
    const terms = { record_date: now, payment_date: now, amount_per_share: 0.01, currency: 'USD' };
    const account = { account_id: this.#treasury };
    const name = (action: string) =>
      this.#post(`/v1/corporate-actions/${action}/payment-account`, account, this.#lister);
    this.#dividends.push(await this.#announced({ action_type: 'dividend', ...terms }, name));
  }

  /** @returns the action's id, once it is completed */
  async #announced(terms: object, then: (action: string) => Promise<unknown> = async () => undefined): Promise<string> {
    const announced = { security_id: this.#security, description: 'soak', ...terms };
    const { corporate_action_id: action } = await this.#post<{ corporate_action_id: string }>(
      '/v1/corporate-actions',
      announced,
    );
    await then(action);
    let last = '';
    for (let look = 0; look < LOOKS_MAX; look++) {
      const asked = new URLSearchParams({ cron: FIVE_MINUTES_CRON });
      // What is killed answers nothing, or half an answer.
      const clock = await fetch(`${this.#system.origin}/cdn-cgi/handler/scheduled?${asked}`)
        .then((response) => response.text())
        .catch(String);
      const { status } = await this.#get<{ status: string }>(`/v1/corporate-actions/${action}`);
      if (status === 'completed') return action;
      last = `${status}, and the clock answers ${clock}`;
      await wait(500);
    }
    throw new Error(`action ${action} is ${last}`);
  }

  async #get<Data>(path: string): Promise<Data> {
    const { authorization } = this.#agent;
    const answer = await this.#client.ask({
      method: 'GET',
      url: `${this.#system.origin}/partner${path}`,
      headers: { authorization },
    });
    if (answer.status !== 200) throw new Error(`GET ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body as Data;
  }

  async #post<Data>(path: string, body: object, { authorization }: PartnerSession = this.#agent): Promise<Data> {
    const answer = await this.#client.ask({
      method: 'POST',
      url: `${this.#system.origin}/partner${path}`,
      headers: { authorization, 'idempotency-key': uuidv7() },
      body,
    });
    if (answer.status !== 200 && answer.status !== 201)
      throw new Error(`POST ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body as Data;
  }
}
