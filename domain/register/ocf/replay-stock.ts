import { decimalToScaled } from '../../money/decimal-text.ts';
import { readsAsThousands } from '../amount-text.ts';
import { isDay } from '../is-day.ts';
import { type OcfFault, type OcfObject, partOf, textOf, textsOf } from './ocf-object.ts';

/** Stock of one class that stands after all transactions of a document. */
export interface OpenStock {
  /** The transaction that has issued it. */
  readonly issuance: OcfObject;
  readonly securityId: string;
  /** Scaled units that stand, and of how many its issuance was, both after splits. */
  quantity: number;
  issued: number;
  /** YYYY-MM-DD: that of the stock whose rest it is, else its own. */
  acquired: string;
}

interface Stock extends OpenStock {
  /** Place of its issuance in the order of transactions. */
  readonly at: number;
  readonly date: string;
}

interface Replayed {
  readonly open: readonly OpenStock[];
  readonly faults: readonly OcfFault[];
}

/** Transactions of stock in the format, version 1.2.1, and those of its plans and classes. One that none of them is may end stock: nobody knows. */
const TRANSACTIONS: ReadonlySet<string> = new Set([
  'TX_STOCK_ACCEPTANCE',
  'TX_STOCK_CANCELLATION',
  'TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT',
  'TX_STOCK_CLASS_CONVERSION_RATIO_ADJUSTMENT',
  'TX_STOCK_CLASS_SPLIT',
  'TX_STOCK_CONSOLIDATION',
  'TX_STOCK_CONVERSION',
  'TX_STOCK_ISSUANCE',
  'TX_STOCK_PLAN_POOL_ADJUSTMENT',
  'TX_STOCK_PLAN_RETURN_TO_POOL',
  'TX_STOCK_REISSUANCE',
  'TX_STOCK_REPURCHASE',
  'TX_STOCK_RETRACTION',
  'TX_STOCK_TRANSFER',
]);
const OF_STOCK = /^\s*tx_stock_/i;

/** Faults that are told of one document. */
const FAULTS_MAX = 100;
/** Each goes through all stock. */
const SPLITS_MAX = 20;

/**
 * Replays the stock transactions of one class: every stock begins with an issuance, that of a rest, a buyer or a reissuance included, and ends with a
 * cancellation, repurchase, retraction, transfer, conversion, reissuance or consolidation. A part that ends leaves the rest to
 * `balance_security_id`, whose issuance says as much for the same stakeholder, or to the stock itself, where none is named or the stock names itself. An issuance is what
 * comes of one transaction at most. Quantities are exact: one that the scale does not hold is a fault.
 *
 * @param objects in the order of the document; those that are no stock transactions count for nothing
 * @param scale decimals of a share
 * @param today YYYY-MM-DD: what is of a later day has not happened
 */
export function replayStock(
  objects: readonly OcfObject[],
  stockClass: string,
  scale: number,
  today = LAST_DAY,
): Replayed {
  const replay = new Replay(objects, { stockClass, scale, today });
  return replay.run();
}

const LAST_DAY = '9999-12-31';

/** Looks at where so much of a stock goes, beside the stock of what is left of it. */
type Goes = (quantity: number, balance: string | null) => void;

class Replay {
  readonly #objects: readonly { readonly object: OcfObject; readonly at: number }[];
  readonly #stockClass: string;
  readonly #scale: number;
  readonly #today: string;
  readonly #faults: OcfFault[] = [];
  /** Of the class, by security id; ended ones are in `#ended`. */
  readonly #stock = new Map<string, Stock>();
  readonly #ended = new Set<string>();
  /** Splits of the class by id, and the stock that is issued anew for each, with what it becomes. */
  readonly #splits = new Map<string, OcfObject>();
  readonly #reissued = new Map<string, Set<string>>();
  /** Stock that a transaction has left as a balance or resulted in. */
  readonly #claimed = new Set<string>();
  /** Stock of other classes: its transactions are not replayed. */
  readonly #others = new Set<string>();
  /** Ends of parts and splits that were met. */
  readonly #met = new Set<string>();

  constructor(
    objects: readonly OcfObject[],
    { stockClass, scale, today }: { readonly stockClass: string; readonly scale: number; readonly today: string },
  ) {
    this.#stockClass = stockClass;
    this.#scale = scale;
    this.#today = today;
    this.#objects = objects
      .filter(({ object_type }) => OF_STOCK.test(object_type))
      .map((object) => ({ object, date: textOf(object, 'date') ?? '' }))
      .sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
      .map(({ object }, at) => ({ object, at }));
  }

  run(): Replayed {
    for (const { object, at } of this.#objects) this.#note(object, at);
    if (this.#splits.size > SPLITS_MAX)
      this.#faults.push({
        object_id: null,
        field: 'split_ratio',
        message: `a class splits ${SPLITS_MAX} times at most`,
      });
    if (this.#faults.length > 0) return { open: [], faults: this.#faults.slice(0, FAULTS_MAX) };
    for (const { object, at } of this.#objects) this.#apply(object, at);
    const open = [...this.#stock.values()].filter(({ securityId }) => !this.#ended.has(securityId));
    return { open: this.#faults.length === 0 ? open : [], faults: this.#faults.slice(0, FAULTS_MAX) };
  }

  /** What other transactions name. */
  #note(object: OcfObject, at: number): undefined {
    const type = object.object_type;
    if (!TRANSACTIONS.has(type)) return this.#fault(object, 'object_type', 'is no transaction of the format');
    if (type === 'TX_STOCK_ISSUANCE') return this.#issue(object, at);
    if (type === 'TX_STOCK_CLASS_SPLIT') {
      const stockClass = textOf(object, 'stock_class_id');
      if (stockClass === null) return this.#fault(object, 'stock_class_id', 'is missing');
      if (stockClass !== this.#stockClass) return;
      const date = this.#dayOf(object);
      if (date !== null && date > this.#today) return this.#fault(object, 'date', 'lies ahead');
      if (date !== null && this.#isMetFirst(object)) this.#splits.set(object.id, object);
    }
    const split = textOf(object, 'split_transaction_id');
    if (split === null) return;
    const reissued = this.#reissued.get(split) ?? new Set();
    this.#reissued.set(split, reissued);
    for (const id of [textOf(object, 'security_id'), ...(textsOf(object, 'resulting_security_ids') ?? [])])
      if (id !== null) reissued.add(id);
  }

  #issue(object: OcfObject, at: number): undefined {
    const securityId = textOf(object, 'security_id');
    const date = textOf(object, 'date');
    if (securityId === null) return this.#fault(object, 'security_id', 'is missing');
    if (date === null) return this.#fault(object, 'date', 'is missing');
    if (this.#stock.has(securityId) || this.#others.has(securityId))
      return this.#fault(object, 'security_id', 'is that of another issuance');
    const stockClass = textOf(object, 'stock_class_id');
    if (stockClass === null) return this.#fault(object, 'stock_class_id', 'is missing');
    if (stockClass !== this.#stockClass) {
      this.#others.add(securityId);
      return;
    }
    if (this.#dayOf(object) === null) return;
    const quantity = this.#amount(object, 'quantity');
    if (quantity === null) return;
    this.#stock.set(securityId, { issuance: object, securityId, quantity, issued: quantity, acquired: date, at, date });
  }

  #apply(object: OcfObject, at: number): undefined {
    switch (object.object_type) {
      case 'TX_STOCK_CANCELLATION':
      case 'TX_STOCK_REPURCHASE':
        return this.#leave(object, 'quantity');
      case 'TX_STOCK_RETRACTION':
        return this.#leave(object, null);
      case 'TX_STOCK_TRANSFER':
        return this.#leave(object, 'quantity', (quantity, balance) => this.#expectIssued(object, quantity, balance));
      case 'TX_STOCK_CONVERSION':
        return this.#leave(object, 'quantity_converted');
      case 'TX_STOCK_REISSUANCE':
        return this.#leave(object, null, (quantity) => this.#expectReissued(object, quantity));
      case 'TX_STOCK_CONSOLIDATION':
        return this.#consolidate(object);
      case 'TX_STOCK_CLASS_SPLIT':
        return this.#split(object, at);
    }
  }

  /** So much of a stock ends (all where no field says how much); `goes` looks at where it goes. */
  #leave(object: OcfObject, field: string | null, goes?: Goes): undefined {
    const stock = this.#named(object, textOf(object, 'security_id'), 'security_id');
    if (stock === null || (field !== null && !this.#isMetFirst(object))) return;
    const quantity = field === null ? stock.quantity : this.#amount(object, field);
    if (quantity === null) return;
    const rest = stock.quantity - quantity;
    if (rest < 0) return this.#fault(object, field ?? 'quantity', 'is more than the stock has');
    const named = textOf(object, 'balance_security_id');
    const balanceId = named ?? this.#balanceAmong(object, { stock, rest, isMove: goes !== undefined });
    if (goes === undefined) this.#expectNoMore(object, rest, [stock.securityId, balanceId]);
    else goes(quantity, balanceId);
    // Of a stock whose balance is itself, what is left stays where it is; where nothing is left there is no balance.
    const isItself = balanceId === stock.securityId;
    const balance = balanceId === null || isItself ? undefined : this.#stock.get(balanceId);
    if (balanceId !== null && !isItself && (rest > 0 || balance !== undefined)) {
      if (balance === undefined || balance.issued !== rest)
        return this.#fault(object, 'balance_security_id', 'is of no issuance of what is left');
      if (stakeholderOf(balance) !== stakeholderOf(stock))
        return this.#fault(object, 'balance_security_id', 'is of another stakeholder');
      this.#claim(object, balance.securityId, 'balance_security_id');
      balance.acquired = stock.acquired;
    }
    if (rest === 0 || balance !== undefined) this.#ended.add(stock.securityId);
    else stock.quantity = rest;
  }

  /** The stock among what results that has what is left, for the same stakeholder, where no balance is named: some write a balance there. */
  #balanceAmong(
    object: OcfObject,
    { stock, rest, isMove }: { readonly stock: Stock; readonly rest: number; readonly isMove: boolean },
  ): string | null {
    const resulting = textsOf(object, 'resulting_security_ids') ?? [];
    if (rest === 0) return null;
    if (resulting.includes(stock.securityId)) return stock.securityId;
    // What moves is issued anew beside the balance; what ends, in other classes if at all.
    if (isMove && this.#issuedOf(resulting) !== stock.quantity) return null;
    const isBalance = (id: string): boolean => {
      const other = this.#stock.get(id);
      return other?.issued === rest && stakeholderOf(other) === stakeholderOf(stock) && !this.#claimed.has(id);
    };
    return resulting.find(isBalance) ?? null;
  }

  #issuedOf(ids: readonly string[]): number {
    return ids.reduce((sum, id) => sum + (this.#stock.get(id)?.issued ?? Number.NaN), 0);
  }

  /** Stock of this class that an end of a part results in, beside what is left, would be shares out of nothing. */
  #expectNoMore(object: OcfObject, rest: number, left: readonly (string | null)[]): undefined {
    const resulting = textsOf(object, 'resulting_security_ids') ?? [];
    if (rest > 0 && resulting.some((id) => this.#stock.has(id) && !left.includes(id)))
      this.#fault(object, 'resulting_security_ids', 'are issued in this class beside what is left of the stock');
  }

  /** An issuance is one transaction's: two that count on it would lose what one of them has moved. */
  #claim(object: OcfObject, id: string, field: string): undefined {
    if (this.#claimed.has(id)) return this.#fault(object, field, 'is what another transaction has left or issued');
    this.#claimed.add(id);
  }

  #consolidate(object: OcfObject): undefined {
    const ids = textsOf(object, 'security_ids');
    if (ids === null || ids.length === 0) return this.#fault(object, 'security_ids', 'are missing');
    if (ids.every((id) => this.#others.has(id))) return;
    if (ids.some((id) => this.#others.has(id))) return this.#fault(object, 'security_ids', 'are of two classes');
    const owners = new Set<string | null>();
    let quantity = 0;
    for (const id of ids) {
      const stock = this.#named(object, id, 'security_ids');
      if (stock === null) return;
      quantity += stock.quantity;
      owners.add(stakeholderOf(stock));
      this.#ended.add(id);
    }
    if (owners.size > 1) return this.#fault(object, 'security_ids', 'are of two stakeholders');
    const resulting = this.#stock.get(textOf(object, 'resulting_security_id') ?? '');
    if (resulting?.issued !== quantity)
      return this.#fault(object, 'resulting_security_id', 'is of no issuance of what is consolidated');
    if (!owners.has(stakeholderOf(resulting)))
      return this.#fault(object, 'resulting_security_id', 'is of another stakeholder');
    this.#claim(object, resulting.securityId, 'resulting_security_id');
  }

  #expectIssued(object: OcfObject, quantity: number, balance: string | null = null): undefined {
    const resulting = (textsOf(object, 'resulting_security_ids') ?? []).filter((id) => id !== balance);
    if (resulting.length === 0 || this.#issuedOf(resulting) !== quantity)
      return this.#fault(object, 'resulting_security_ids', 'are not issued with what leaves the stock');
    for (const id of resulting) this.#claim(object, id, 'resulting_security_ids');
  }

  #expectReissued(object: OcfObject, quantity: number): undefined {
    const splitId = textOf(object, 'split_transaction_id');
    if (splitId === null) return this.#expectIssued(object, quantity);
    const split = this.#splits.get(splitId);
    const after = split === undefined ? null : this.#multiplied(split, quantity);
    if (after === null) return this.#fault(object, 'split_transaction_id', 'is no split that comes to whole units');
    this.#expectIssued(object, after);
  }

  /** Stock that is not issued anew for the split has as many times more. */
  #split(object: OcfObject, at: number): undefined {
    if (this.#splits.get(object.id) !== object) return;
    const reissued = this.#reissued.get(object.id);
    for (const stock of this.#stock.values()) {
      if (stock.at > at || this.#ended.has(stock.securityId) || reissued?.has(stock.securityId) === true) continue;
      const quantity = this.#multiplied(object, stock.quantity);
      const issued = this.#multiplied(object, stock.issued);
      if (quantity === null || issued === null)
        return this.#fault(object, 'split_ratio', `leaves a part of a unit of ${stock.securityId}`);
      stock.quantity = quantity;
      stock.issued = issued;
    }
  }

  #multiplied(split: OcfObject, quantity: number): number | null {
    const ratio = partOf(split, 'split_ratio');
    const part = (field: string) => decimalToScaled(textOf(ratio ?? {}, field) ?? '', RATIO_SCALE);
    const [numerator, denominator] = [part('numerator'), part('denominator')];
    if (!numerator.ok || !denominator.ok || numerator.value <= 0 || denominator.value <= 0) return null;
    const product = BigInt(quantity) * BigInt(numerator.value);
    const after = product / BigInt(denominator.value);
    const isWhole = after * BigInt(denominator.value) === product;
    return isWhole && after <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(after) : null;
  }

  /** Null for stock of another class, and for one that a fault is told of. */
  #named(object: OcfObject, id: string | null, field: string): Stock | null {
    if (id !== null && this.#others.has(id)) return null;
    const stock = id === null ? undefined : this.#stock.get(id);
    const date = this.#dayOf(object);
    if (date === null) return null;
    if (stock === undefined) this.#fault(object, field, 'is of no issuance');
    else if (this.#ended.has(stock.securityId)) this.#fault(object, field, 'is of stock that has ended');
    else if (date < stock.date) this.#fault(object, 'date', 'is before the stock was issued');
    // Stock that is of no day yet itself is told by its row.
    else if (date > this.#today && stock.date <= this.#today) this.#fault(object, 'date', 'lies ahead');
    else return stock;
    return null;
  }

  /** Dates are in the order of their texts where each is written as the format has it; null for one that a fault is told of. */
  #dayOf(object: OcfObject): string | null {
    const date = textOf(object, 'date');
    if (date === null) this.#fault(object, 'date', 'is missing');
    else if (!isDay(date)) this.#fault(object, 'date', 'is no date YYYY-MM-DD');
    else return date;
    return null;
  }

  /** A file that is there twice would end a part, or split, twice; also where one of the two has its fields in another order, or another comment. */
  #isMetFirst(object: OcfObject): boolean {
    const name = JSON.stringify([object.object_type, object.id, textOf(object, 'security_id')]);
    const isFirst = !this.#met.has(name);
    if (!isFirst) this.#fault(object, 'id', 'is that of another transaction');
    this.#met.add(name);
    return isFirst;
  }

  #amount(object: OcfObject, field: string): number | null {
    const text = textOf(object, field)?.replace(/^\+/, '') ?? '';
    // Three zeros behind the point of a whole number are thousands to half of the world.
    if (this.#scale < 3 && readsAsThousands(text)) {
      this.#fault(object, field, `may mean ${text.replace('.', '')}: write it without a point, or with other decimals`);
      return null;
    }
    const scaled = decimalToScaled(text, this.#scale);
    if (scaled.ok && scaled.value > 0) return scaled.value;
    this.#fault(object, field, `is no quantity above 0 with up to ${this.#scale} decimals, as text`);
    return null;
  }

  #fault({ id }: OcfObject, field: string, message: string): undefined {
    this.#faults.push({ object_id: id, field, message });
  }
}

function stakeholderOf({ issuance }: Stock): string | null {
  return textOf(issuance, 'stakeholder_id');
}

/** Decimals of the parts of a ratio. */
const RATIO_SCALE = 10;
