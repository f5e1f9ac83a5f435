import { BudgetSpent } from '../../application/log/budget-spent.ts';

/** How many queries are left, of all databases together. */
export class QueryBudget {
  #left: number;
  #isSpent = false;

  constructor(queries: number) {
    this.#left = queries;
  }

  /** Whether a query was refused. */
  get isSpent(): boolean {
    return this.#isSpent;
  }

  /** @throws BudgetSpent where so many are not left */
  take(queries: number): void {
    if (queries > this.#left) {
      this.#isSpent = true;
      throw new BudgetSpent('the queries of this invocation are used up');
    }
    this.#left -= queries;
  }
}

/** The statement that a counted one stands for, which a batch is made of. */
const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();

/** The same database, of which each query counts. */
export function countedDatabase(db: D1Database, budget: QueryBudget): D1Database {
  return counted(db, {
    prepare: (query: string) => countedStatement(db.prepare(query), budget),
    batch: async (statements: D1PreparedStatement[]) => {
      budget.take(statements.length);
      return db.batch(statements.map((statement) => originals.get(statement) ?? statement));
    },
    exec: async (query: string) => {
      budget.take(1);
      return db.exec(query);
    },
  });
}

function countedStatement(statement: D1PreparedStatement, budget: QueryBudget): D1PreparedStatement {
  const asked =
    <Terms extends unknown[], Answer>(ask: (...terms: Terms) => Promise<Answer>) =>
    async (...terms: Terms): Promise<Answer> => {
      budget.take(1);
      return ask(...terms);
    };
  const made = counted(statement, {
    bind: (...values: unknown[]) => countedStatement(statement.bind(...values), budget),
    first: asked((...terms: [string]) => statement.first(...terms)),
    run: asked(() => statement.run()),
    all: asked(() => statement.all()),
    raw: asked((...terms: []) => statement.raw(...terms)),
  });
  originals.set(made, statement);
  return made;
}

/** The object with other methods in place of its own; those of the runtime work on their own object alone. */
function counted<Counted extends object>(original: Counted, methods: object): Counted {
  return new Proxy(original, {
    get: (_, name) => {
      const own = Reflect.get(methods, name) as unknown;
      if (own !== undefined) return own;
      const value = Reflect.get(original, name) as unknown;
      return typeof value === 'function' ? value.bind(original) : value;
    },
  });
}
