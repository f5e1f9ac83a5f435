import { scaledToDecimal } from '../../money/decimal-text.ts';
import type { HolderKind, RegisterEventType } from '../register-event.ts';
import type { OcfObject } from './ocf-object.ts';

/** Version of Open Cap Table Format that is written. */
const OCF_VERSION = '1.2.1-alpha+main';
/** Legend that lines of the register have. */
const LEGEND = 'restrictive-legend';
const COST_SCALE = 2;
const PRICE_SCALE = 10;

export interface OcfSecurity {
  readonly id: string;
  readonly issuerId: string;
  readonly issuerName: string;
  readonly securityClass: string;
  readonly shareClass: string;
  /** What restricts transfers, as free text. */
  readonly legendText: string;
  /** Decimals of a share. */
  readonly scale: number;
}

/** What the register does not know of the issuer, and the format wants; null where nobody has stated it. */
export interface IssuerTerms {
  /** YYYY-MM-DD */
  readonly formationDate: string | null;
  /** ISO 3166-1, two letters. */
  readonly country: string | null;
}

/** Stands for what nobody has stated; the document says so. */
const UNSTATED = { formationDate: '1970-01-01', country: 'US' } as const;

export interface OcfHolder {
  readonly id: string;
  readonly reference: string;
  readonly name: string;
  readonly kind: HolderKind;
  readonly country: string | null;
}

/** A line of a recorded event; scaled units, times in Unix milliseconds. */
export interface RegisteredLine {
  readonly event: string;
  readonly type: RegisterEventType;
  readonly recordedAt: number;
  readonly notes: string | null;
  readonly holder: string;
  readonly shares: number;
  readonly cost: number;
  readonly acquiredAt: number | null;
  readonly certificate: string | null;
  readonly legend: boolean;
}

interface OcfFile {
  readonly file_type: string;
  readonly items: readonly OcfObject[];
}

interface FileReference {
  readonly filepath: string;
  readonly md5: string;
}

/** An OCF document: the manifest, and the files that it names, by path. */
export interface OcfPackage {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly files: Readonly<Record<string, OcfFile>>;
}

/**
 * A register as Open Cap Table Format. What each event has issued is stock of its holder; what it takes away is taken from the oldest stock that the holder has,
 * by cancellations, or by transfers to whom the event gives it. What is left of a stock is issued anew as its balance.
 *
 * @param lines in the order of the register
 * @param md5 lower-case hexadecimal MD5 of a text; of a file its JSON without spaces
 */
export function ocfOfRegister(
  security: OcfSecurity,
  issuer: IssuerTerms,
  { holders, lines }: { readonly holders: readonly OcfHolder[]; readonly lines: readonly RegisteredLine[] },
  { now_ms, md5 }: { readonly now_ms: number; readonly md5: (text: string) => string },
): OcfPackage {
  const unstated = [
    ...(issuer.formationDate === null ? ['formation_date'] : []),
    ...(issuer.country === null ? ['country_of_formation'] : []),
  ];
  const transactions = new StockLog(security).log(lines);
  const files: Readonly<Record<string, OcfFile>> = {
    './StockClasses.ocf.json': { file_type: 'OCF_STOCK_CLASSES_FILE', items: [stockClassOf(security)] },
    './StockLegends.ocf.json': { file_type: 'OCF_STOCK_LEGEND_TEMPLATES_FILE', items: [legendOf(security)] },
    './Stakeholders.ocf.json': { file_type: 'OCF_STAKEHOLDERS_FILE', items: holders.map(stakeholderOf) },
    './Transactions.ocf.json': { file_type: 'OCF_TRANSACTIONS_FILE', items: transactions },
  };
  const reference = (filepath: string): FileReference[] => [{ filepath, md5: md5(JSON.stringify(files[filepath])) }];
  const manifest = {
    ocf_version: OCF_VERSION,
    file_type: 'OCF_MANIFEST_FILE',
    issuer: {
      object_type: 'ISSUER',
      id: security.issuerId,
      legal_name: security.issuerName,
      formation_date: issuer.formationDate ?? UNSTATED.formationDate,
      country_of_formation: issuer.country ?? UNSTATED.country,
      ...(unstated.length === 0 ? {} : { comments: [`not stated, and so of no meaning: ${unstated.join(', ')}`] }),
    },
    as_of: dayOf(now_ms),
    generated_at: new Date(now_ms).toISOString(),
    stock_plans_files: [],
    stock_legend_templates_files: reference('./StockLegends.ocf.json'),
    stock_classes_files: reference('./StockClasses.ocf.json'),
    vesting_terms_files: [],
    valuations_files: [],
    transactions_files: reference('./Transactions.ocf.json'),
    stakeholders_files: reference('./Stakeholders.ocf.json'),
  };
  return { manifest, files };
}

/** Votes and seniority are not the register's: one vote, one rank. */
function stockClassOf({ id, shareClass, securityClass }: OcfSecurity): OcfObject {
  const isPreferred = securityClass === 'preferred_stock';
  return {
    object_type: 'STOCK_CLASS',
    id,
    name: shareClass,
    class_type: isPreferred ? 'PREFERRED' : 'COMMON',
    default_id_prefix: isPreferred ? 'PS-' : 'CS-',
    initial_shares_authorized: 'NOT APPLICABLE',
    votes_per_share: '1',
    seniority: '1',
  };
}

function legendOf({ legendText }: OcfSecurity): OcfObject {
  return { object_type: 'STOCK_LEGEND_TEMPLATE', id: LEGEND, name: 'Restrictions on transfers', text: legendText };
}

function stakeholderOf({ id, reference, name, kind, country }: OcfHolder): OcfObject {
  return {
    object_type: 'STAKEHOLDER',
    id,
    name: { legal_name: name },
    stakeholder_type: kind === 'entity' ? 'INSTITUTION' : 'INDIVIDUAL',
    issuer_assigned_id: reference,
    ...(country === null ? {} : { addresses: [{ address_type: 'LEGAL', country }] }),
  };
}

/** Stock that a holder has. */
interface HeldStock {
  readonly securityId: string;
  readonly holder: string;
  readonly quantity: number;
  /** Cents. */
  readonly cost: number;
  readonly date: string;
  readonly certificate: string | null;
  readonly legend: boolean;
}

/** Transactions of a stock class, as events of a register make them. */
class StockLog {
  readonly #security: OcfSecurity;
  readonly #transactions: OcfObject[] = [];
  /** Of each holder, the oldest first. */
  readonly #held = new Map<string, HeldStock[]>();
  /** Stock that the event under way has issued so far; the event. */
  #issued = 0;
  #event = '';

  constructor(security: OcfSecurity) {
    this.#security = security;
  }

  log(lines: readonly RegisteredLine[]): readonly OcfObject[] {
    for (const event of eventsOf(lines)) {
      const moves = event[0]?.type === 'transfer' || event[0]?.type === 'reversal';
      const taken = event.filter(({ shares }) => shares < 0);
      const given = event.filter(({ shares }) => shares > 0);
      this.#event = event[0]?.event ?? '';
      this.#issued = 0;
      if (moves) this.#transfer(taken, given);
      else {
        for (const line of taken) this.#take(line, -line.shares, (stock, part) => this.#cancel(line, stock, part));
        for (const line of given)
          this.#receive(line, line.shares, line.cost, dayOf(line.acquiredAt ?? line.recordedAt));
      }
    }
    return this.#transactions;
  }

  #transfer(taken: readonly RegisteredLine[], given: readonly RegisteredLine[]): void {
    const waiting = given.map((line) => ({ line, left: line.shares }));
    for (const line of taken) {
      for (let left = -line.shares; left > 0; ) {
        const to = waiting.find((each) => each.left > 0);
        if (to === undefined) throw new Error(`event ${line.event} takes more than it gives`);
        const quantity = Math.min(left, to.left);
        this.#take(line, quantity, (stock, part) => {
          const isFirst = to.left === to.line.shares;
          const cost = isFirst ? to.line.cost : 0;
          to.left -= part;
          this.#move(line, stock, part, { ...to.line, cost, certificate: isFirst ? to.line.certificate : null });
        });
        left -= quantity;
      }
    }
  }

  /** Takes so much from the oldest stock of the line's holder; `ends` writes down what becomes of each part. */
  #take(line: RegisteredLine, quantity: number, ends: (stock: HeldStock, part: number) => void): void {
    for (let left = quantity; left > 0; ) {
      const stock = this.#held.get(line.holder)?.shift();
      if (stock === undefined) throw new Error(`event ${line.event} takes more than holder ${line.holder} has`);
      const part = Math.min(left, stock.quantity);
      ends(stock, part);
      left -= part;
    }
  }

  #cancel(line: RegisteredLine, stock: HeldStock, part: number): void {
    this.#end(line, stock, part, 'TX_STOCK_CANCELLATION', { reason_text: line.notes ?? `register event ${line.type}` });
  }

  #move(line: RegisteredLine, stock: HeldStock, part: number, to: RegisteredLine): void {
    const securityId = this.#nextId();
    this.#end(line, stock, part, 'TX_STOCK_TRANSFER', { resulting_security_ids: [securityId] });
    this.#receive(to, part, to.cost, dayOf(to.recordedAt), securityId);
  }

  /** So much of a stock ends; the rest is issued to its holder anew, before what else they have. */
  #end(
    line: RegisteredLine,
    stock: HeldStock,
    part: number,
    object_type: string,
    terms: Readonly<Record<string, unknown>>,
  ): void {
    const rest = stock.quantity - part;
    const balance = rest === 0 ? null : this.#nextId();
    this.#transactions.push({
      object_type,
      id: `${stock.securityId}:end`,
      security_id: stock.securityId,
      date: dayOf(line.recordedAt),
      quantity: this.#quantity(part),
      ...terms,
      ...(balance === null ? {} : { balance_security_id: balance }),
    });
    if (balance === null) return;
    const cost = Number((BigInt(stock.cost) * BigInt(rest)) / BigInt(stock.quantity));
    const left = { ...stock, securityId: balance, quantity: rest, cost, date: dayOf(line.recordedAt) };
    this.#issue(left);
    this.#held.get(stock.holder)?.unshift(left);
  }

  #receive(line: RegisteredLine, quantity: number, cost: number, date: string, securityId = this.#nextId()): void {
    const { holder, certificate, legend } = line;
    const stock: HeldStock = { securityId, holder, quantity, cost, date, certificate, legend };
    this.#issue(stock);
    const held = this.#held.get(holder) ?? [];
    this.#held.set(holder, held);
    held.push(stock);
  }

  #issue({ securityId, holder, quantity, cost, date, certificate, legend }: HeldStock): void {
    const { id, scale } = this.#security;
    const price = (BigInt(cost) * 10n ** BigInt(PRICE_SCALE - COST_SCALE + scale)) / BigInt(quantity);
    this.#transactions.push({
      object_type: 'TX_STOCK_ISSUANCE',
      id: `${securityId}:issuance`,
      security_id: securityId,
      date,
      security_law_exemptions: [],
      stakeholder_id: holder,
      custom_id: certificate ?? securityId,
      stock_class_id: id,
      share_price: usd(decimalOf(price, PRICE_SCALE)),
      quantity: this.#quantity(quantity),
      cost_basis: usd(scaledToDecimal(cost, COST_SCALE)),
      stock_legend_ids: legend ? [LEGEND] : [],
    });
  }

  #quantity(scaled: number): string {
    return scaledToDecimal(scaled, this.#security.scale);
  }

  #nextId(): string {
    this.#issued += 1;
    return `${this.#event}.${this.#issued}`;
  }
}

/** Lines that follow each other of one event. */
function eventsOf(lines: readonly RegisteredLine[]): RegisteredLine[][] {
  const events: RegisteredLine[][] = [];
  for (const line of lines) {
    const last = events.at(-1);
    if (last?.[0]?.event === line.event) last.push(line);
    else events.push([line]);
  }
  return events;
}

function usd(amount: string) {
  return { amount, currency: 'USD' };
}

function decimalOf(units: bigint, scale: number): string {
  const digits = String(units).padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/0+$/, '');
  return `${digits.slice(0, -scale)}${fraction === '' ? '' : `.${fraction}`}`;
}

function dayOf(at_ms: number): string {
  return new Date(at_ms).toISOString().slice(0, 10);
}
