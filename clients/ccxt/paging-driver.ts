import type { Dict } from 'ccxt';
import { BadRequest, ExchangeError } from 'ccxt';
import { OrderTermsDriver } from './order-terms-driver.ts';

/** Rows of one page at most. */
export const LIMIT_MAX = 1_000;

export interface Listing {
  readonly path: string;
  readonly api: 'public' | 'private';
  /** Field of the answer that has the rows. */
  readonly name: string;
  readonly request: Dict;
  /** Fields of the answer that belong to each of its rows. */
  readonly ofAnswer?: readonly string[];
  /** Whether the pages so far have what was asked for; all pages are read where it is left out. */
  readonly isEnough?: (rows: readonly Dict[]) => boolean;
}

/** Lists of the exchange, page by page. A page may be short and yet lead on, so that the header Link alone says where a list ends. */
export class PagingDriver extends OrderTermsDriver {
  /** @throws ExchangeError where the list goes on behind `options.pagesMax` pages, since a part of it would look like the whole. */
  protected async rowsOf({
    path,
    api,
    name,
    request,
    ofAnswer = [],
    isEnough = () => false,
  }: Listing): Promise<Dict[]> {
    const rows: Dict[] = [];
    const pagesMax = this.options.pagesMax as number;
    let behind: Dict = {};
    for (let page = 0; page < pagesMax; page++) {
      const answer: unknown = await this.request(path, api, 'GET', { limit: LIMIT_MAX, ...request, ...behind });
      const shared = Object.fromEntries(ofAnswer.map((field) => [field, (answer as Dict)[field]]));
      for (const row of this.safeList(answer, name, []) as Dict[]) rows.push({ ...shared, ...row });
      const cursor = this.nextCursorOf(answer);
      if (cursor === undefined || isEnough(rows)) return rows;
      behind = { cursor };
    }
    throw new ExchangeError(
      `${this.id} ${path} goes on behind ${pagesMax} pages: ask for less, by since, limit or symbol, or raise options.pagesMax`,
    );
  }

  /** A limit as the exchange takes it: a page is no longer than what is asked for. */
  protected limited(limit: number | undefined, name = 'limit'): Dict {
    if (limit === undefined) return {};
    if (limit < 1) throw new BadRequest(`${this.id} a limit is above zero`);
    return { [name]: Math.min(limit, LIMIT_MAX) };
  }
}
