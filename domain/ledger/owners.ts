import { type CheckpointPiece, ColumnSet, Int32Column } from './columns.ts';
import { IdTable, type IdTableRest } from './id-table.ts';

/** Whose an account is, by numbers of the ledger; −1 for nobody. */
export interface Owner {
  /** −1 for an account that the ledger has never heard of. */
  readonly account: number;
  /** Who has the account, perhaps beside others; −1 for an account that is its owner's only one. */
  readonly investor: number;
  /** Whose investor that is. */
  readonly partner: number;
}

/** Whose an order says that its account is. */
export interface SaidOwner {
  readonly investor: string;
  readonly partner: string;
}

const NOBODY: Owner = { account: -1, investor: -1, partner: -1 };

export interface OwnersRest {
  readonly investors: IdTableRest;
  readonly partners: IdTableRest;
}

/** Told that an account turns out to be this investor's, right after it is known. */
type Learned = (account: number, owner: Owner) => void;

/**
 * Who has which accounts, where one may have several: investors, and above them the partners that have introduced them. Orders say so, and the ledger keeps it
 * from the first one on. Whoever is in no such place has one account, which stands for its owner. An account never changes its owner.
 */
export class Owners {
  readonly #accounts: IdTable;
  readonly #investors = new IdTable('investors');
  readonly #partners = new IdTable('partners');
  /** By account: its investor, plus 1. */
  readonly #investorOf = new Int32Column();
  /** By investor: the partner. */
  readonly #partnerOf = new Int32Column();
  readonly #columns = new ColumnSet('owners', { investor: this.#investorOf, partner: this.#partnerOf });
  readonly #told: Learned[] = [];

  /** @param accounts of the ledger, by their numbers */
  constructor(accounts: IdTable) {
    this.#accounts = accounts;
  }

  /** Whoever counts by owner hears when more is known. */
  onLearned(told: Learned): void {
    this.#told.push(told);
  }

  /** The account is this investor's, of this partner. What is known stays, and nothing is kept of an account that the ledger does not know. */
  learn(account: string, { investor, partner }: SaidOwner): void {
    const number = this.#accounts.find(account);
    if (number < 0 || this.#investorOf.get(number) !== 0) return;
    const known = this.#investors.find(investor);
    const investorNumber = known < 0 ? this.#investors.intern(investor) : known;
    if (known < 0) this.#partnerOf.set(investorNumber, this.#partners.intern(partner));
    this.#investorOf.set(number, investorNumber + 1);
    const owner = this.ownerOf(number);
    for (const told of this.#told) told(number, owner);
  }

  /** By the number of an account. */
  ownerOf(account: number): Owner {
    return this.#ownerBy(account, account < 0 ? -1 : this.investorOf(account));
  }

  /** The investor of an account, −1 for none. */
  investorOf(account: number): number {
    return this.#investorOf.get(account) - 1;
  }

  /** The partner of an investor. */
  partnerOf(investor: number): number {
    return this.#partnerOf.get(investor);
  }

  /** By its id, and what an order says of it: the ledger may not know the account yet. */
  find(account: string, said: SaidOwner | null): Owner {
    const number = this.#accounts.find(account);
    if (number >= 0 || said === null) return this.ownerOf(number);
    const investor = this.#investors.find(said.investor);
    return investor >= 0 ? this.#ownerBy(-1, investor) : { ...NOBODY, partner: this.#partners.find(said.partner) };
  }

  /** Hashes of what is known, by account. */
  *hashes(): Generator<{ readonly account: number; readonly investor: number; readonly partner: number }> {
    for (let account = 0; account < this.#accounts.end; account++) {
      const { investor, partner } = this.ownerOf(account);
      if (investor < 0) continue;
      const hashes = { investor: this.#investors.hash(investor), partner: this.#partners.hash(partner) };
      yield { account: this.#accounts.hash(account), ...hashes };
    }
  }

  *pieces(): Generator<CheckpointPiece> {
    yield* this.#investors.pieces();
    yield* this.#partners.pieces();
    yield* this.#columns.pieces();
  }

  load(piece: CheckpointPiece): boolean {
    return this.#investors.load(piece) || this.#partners.load(piece) || this.#columns.load(piece);
  }

  rest(): OwnersRest {
    return { investors: this.#investors.rest(), partners: this.#partners.rest() };
  }

  /** Call it once every piece is loaded, and before whoever counts by owner counts again. */
  finish({ investors, partners }: OwnersRest): void {
    this.#investors.finish(investors);
    this.#partners.finish(partners);
  }

  #ownerBy(account: number, investor: number): Owner {
    return { account, investor, partner: investor < 0 ? -1 : this.partnerOf(investor) };
  }
}
