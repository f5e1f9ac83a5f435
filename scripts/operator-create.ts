import { parseArgs } from 'node:util';
import { uuidv7 } from 'uuidv7';
import { findRunning } from './local/run-lock.ts';
import { WRANGLER_ENVIRONMENT } from './local/wrangler-environment.ts';
import { executeSql } from './operator/execute-sql.ts';
import { type FirstOperator, firstOperatorSql, operatorProblem } from './operator/first-operator.ts';

Object.assign(process.env, WRANGLER_ENVIRONMENT);

const USAGE = `npm run operator:create -- --phone <+15550100001> --name <name> --email <address>
  --env staging|production   a deployed system's database, by wrangler; without it the stopped system in .state
  --client <id>              the application to sign in through, made with the operator (console)
  --another                  although there is an operator of the venue, who can no longer sign in`;

interface Operator {
  readonly id: string;
  readonly name: string;
  readonly phone: string | null;
}

/**
 * `npm run operator:create`: the first operator of the venue, and an application to sign in through. It needs a login of wrangler that may write
 * the database, and refuses where there is an operator: who makes users otherwise is an operator, over HTTP.
 */
async function create(): Promise<string> {
  const { values } = parseArgs({
    options: {
      env: { type: 'string' },
      phone: { type: 'string' },
      name: { type: 'string' },
      email: { type: 'string' },
      client: { type: 'string', default: 'console' },
      another: { type: 'boolean', default: false },
    },
  });
  const { env: environment, phone, name, email, client, another } = values;
  if (phone === undefined || name === undefined || email === undefined) throw new Error(USAGE);
  const ids = { id: uuidv7(), eventId: uuidv7() };
  const operator: FirstOperator = { ...ids, phone, name, email, client, another, now: Date.now() };
  const problem = operatorProblem(operator);
  if (problem !== null) throw new Error(problem);
  if (environment === undefined) await migrateLocal();
  const sql = firstOperatorSql(operator);
  const operators = await executeSql<Operator>(environment === undefined ? 'local' : { environment }, sql);
  if (operators.some(({ id }) => id === operator.id))
    return `${name} is operator ${operator.id} of the venue, and signs in by ${phone} through the client ${client}.`;
  if (operators.length === 0 || another)
    throw new Error(`Nothing was made: the phone number ${phone} is another user's.`);
  const there = operators.map((each) => `${each.name} (${each.phone ?? 'no phone'})`).join(', ');
  throw new Error(`Nothing was made: the venue has operators, ${there}. They make users by POST /v1/operator/users.`);
}

/** The database in .state, with every migration; nobody else may have it open. */
async function migrateLocal(): Promise<void> {
  const running = findRunning();
  if (running !== null) throw new Error(`The exchange is running, on port ${running.port}. Stop it first.`);
  const { openLocalLedger } = await import('./local/local-ledger.ts');
  const ledger = await openLocalLedger();
  try {
    await ledger.migrate();
  } finally {
    await ledger.close();
  }
}

try {
  console.log(await create());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
