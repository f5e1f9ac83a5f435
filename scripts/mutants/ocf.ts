import type { Mutant } from './mutant.ts';

const REPLAY = ['domain/register/ocf/replay-stock.test.ts'];
const ROUND_TRIP = ['domain/register/ocf/ocf.properties.test.ts'];

/** Rules by which registers go out and come in as Open Cap Table Format. */
export const OCF_MUTANTS: readonly Mutant[] = [
  {
    rule: 'no more leaves an OCF stock than it has',
    file: 'domain/register/ocf/replay-stock.ts',
    from: "if (rest < 0) return this.#fault(object, field ?? 'quantity', 'is more than the stock has');",
    to: '',
    tests: REPLAY,
  },
  {
    rule: 'two OCF issuances of one stock are not both counted',
    file: 'domain/register/ocf/replay-stock.ts',
    from: 'this.#stock.has(securityId) || this.#others.has(securityId)',
    to: 'false',
    tests: REPLAY,
  },
  {
    rule: 'an OCF balance is what is left',
    file: 'domain/register/ocf/replay-stock.ts',
    from: ' || balance.issued !== rest',
    to: '',
    tests: REPLAY,
  },
  {
    rule: 'an OCF transfer issues what it takes',
    file: 'domain/register/ocf/replay-stock.ts',
    from: ' || this.#issuedOf(resulting) !== quantity',
    to: '',
    tests: REPLAY,
  },
  {
    rule: 'OCF stock that has ended ends no second time',
    file: 'domain/register/ocf/replay-stock.ts',
    from: 'else if (this.#ended.has(stock.securityId))',
    to: 'else if (false)',
    tests: REPLAY,
  },
  {
    rule: 'stock that is reissued for an OCF split is not split as well',
    file: 'domain/register/ocf/replay-stock.ts',
    from: ' || reissued?.has(stock.securityId) === true',
    to: '',
    tests: REPLAY,
  },
  {
    rule: 'an OCF split leaves whole shares',
    file: 'domain/register/ocf/replay-stock.ts',
    from: 'const isWhole = after * BigInt(denominator.value) === product;',
    to: 'const isWhole = true;',
    tests: REPLAY,
  },
  {
    rule: 'what is left of exported stock is issued anew',
    file: 'domain/register/ocf/export-ocf.ts',
    from: '    this.#held.get(stock.holder)?.unshift(left);\n',
    to: '',
    tests: ROUND_TRIP,
  },
  {
    rule: 'an exported event takes no more than it says',
    file: 'domain/register/ocf/export-ocf.ts',
    from: 'const part = Math.min(left, stock.quantity);',
    to: 'const part = stock.quantity;',
    tests: ROUND_TRIP,
  },
];
