import { describe, expect, test } from 'vitest';
import { rowsOfOcf } from './import-ocf.ts';
import type { OcfObject } from './ocf-object.ts';
import { replayStock } from './replay-stock.ts';

const issuance = (id: string, quantity: string, change: Readonly<Record<string, unknown>> = {}): OcfObject => ({
  object_type: 'TX_STOCK_ISSUANCE',
  id: `${id} issued`,
  security_id: id,
  date: '2022-02-01',
  stakeholder_id: 'ada',
  custom_id: `CS-${id}`,
  stock_class_id: 'common',
  share_price: { amount: '1.00', currency: 'USD' },
  quantity,
  stock_legend_ids: [],
  ...change,
});
const end = (type: string, terms: Readonly<Record<string, unknown>>): OcfObject => ({
  object_type: `TX_STOCK_${type}`,
  id: type,
  security_id: 'a',
  date: '2022-03-01',
  ...terms,
});
const ADA: OcfObject = {
  object_type: 'STAKEHOLDER',
  id: 'ada',
  name: { legal_name: 'Ada' },
  stakeholder_type: 'INDIVIDUAL',
};

/** What stands, by security id; faults instead, as `field message`. */
function standing(objects: readonly OcfObject[], scale = 0) {
  const { open, faults } = replayStock(objects, 'common', scale);
  if (faults.length > 0) return faults.map(({ field, message }) => `${field} ${message}`);
  return Object.fromEntries(open.map(({ securityId, quantity }) => [securityId, quantity]));
}

describe('replaying stock', () => {
  test.each<[string, OcfObject[], Record<string, number>]>([
    ['part is cancelled', [end('CANCELLATION', { quantity: '37' })], { a: 963 }],
    [
      'part is repurchased and the rest issued anew',
      [end('REPURCHASE', { quantity: '33.00', balance_security_id: 'b' }), issuance('b', '967')],
      { b: 967 },
    ],
    ['it is retracted', [end('RETRACTION', {})], {}],
    [
      'part is transferred',
      [end('TRANSFER', { quantity: '10', resulting_security_ids: ['b', 'c'] }), issuance('b', '4'), issuance('c', '6')],
      { a: 990, b: 4, c: 6 },
    ],
    [
      'part is converted into another class',
      [
        end('CONVERSION', { quantity_converted: '10', resulting_security_ids: ['x'] }),
        issuance('x', '20', { stock_class_id: 'preferred' }),
      ],
      { a: 990 },
    ],
    [
      'it is reissued',
      [end('REISSUANCE', { resulting_security_ids: ['b', 'c'] }), issuance('b', '400'), issuance('c', '600')],
      { b: 400, c: 600 },
    ],
    [
      'two are consolidated',
      [
        issuance('b', '5'),
        end('CONSOLIDATION', { security_ids: ['a', 'b'], resulting_security_id: 'c' }),
        issuance('c', '1005'),
      ],
      { c: 1005 },
    ],
    [
      'its class splits',
      [end('CLASS_SPLIT', { stock_class_id: 'common', split_ratio: { numerator: '3', denominator: '2' } })],
      { a: 1500 },
    ],
    [
      'its class splits and it is reissued for that',
      [
        end('CLASS_SPLIT', { stock_class_id: 'common', split_ratio: { numerator: '2', denominator: '1' } }),
        end('REISSUANCE', { split_transaction_id: 'CLASS_SPLIT', resulting_security_ids: ['b'] }),
        issuance('b', '2000', { date: '2022-03-01' }),
      ],
      { b: 2000 },
    ],
    [
      'another class splits',
      [end('CLASS_SPLIT', { stock_class_id: 'preferred', split_ratio: { numerator: '2', denominator: '1' } })],
      { a: 1000 },
    ],
    [
      'stock of another class ends',
      [issuance('x', '5', { stock_class_id: 'preferred' }), end('RETRACTION', { security_id: 'x' })],
      { a: 1000 },
    ],
  ])('%s', (_, objects, expected) => {
    expect(standing([issuance('a', '1000'), ...objects])).toEqual(expected);
  });

  test('goes by dates, whatever the order of the document', () => {
    const objects = [
      end('RETRACTION', { security_id: 'b', date: '2022-05-01' }),
      issuance('b', '10', { date: '2022-04-01' }),
      end('TRANSFER', { quantity: '10', resulting_security_ids: ['b'], date: '2022-04-01' }),
      issuance('a', '1000'),
    ];
    expect(standing(objects)).toEqual({ a: 990 });
  });

  test.each<[string, OcfObject[], string]>([
    ['more leaves than there is', [end('CANCELLATION', { quantity: '1001' })], 'quantity is more than the stock has'],
    ['stock ends twice', [end('RETRACTION', {}), end('RETRACTION', {})], 'security_id is of stock that has ended'],
    ['nobody has issued it', [end('RETRACTION', { security_id: 'z' })], 'security_id is of no issuance'],
    ['two issuances say the same', [issuance('a', '1')], 'security_id is that of another issuance'],
    ['it ends before it began', [end('RETRACTION', { date: '2022-01-01' })], 'date is before the stock was issued'],
    [
      'the balance is another',
      [end('CANCELLATION', { quantity: '1', balance_security_id: 'b' }), issuance('b', '998')],
      'balance_security_id is of no issuance of what is left',
    ],
    [
      'a transfer loses shares',
      [end('TRANSFER', { quantity: '10', resulting_security_ids: ['b'] }), issuance('b', '9')],
      'resulting_security_ids are not issued with what leaves the stock',
    ],
    [
      'parts of a share',
      [end('CANCELLATION', { quantity: '0.5' })],
      'quantity is no quantity above 0 with up to 0 decimals, as text',
    ],
    [
      'a number',
      [end('CANCELLATION', { quantity: 5 })],
      'quantity is no quantity above 0 with up to 0 decimals, as text',
    ],
    [
      'a split that leaves parts',
      [end('CLASS_SPLIT', { stock_class_id: 'common', split_ratio: { numerator: '1', denominator: '3' } })],
      'split_ratio leaves a part of a unit of a',
    ],
  ])('names what is wrong: %s', (_, objects, fault) => {
    expect(standing([issuance('a', '1000'), ...objects])).toContain(fault);
  });
});

describe('rows of an import', () => {
  const rowsOf = (objects: readonly OcfObject[], stockClass: string | null = null) => {
    const read = rowsOfOcf(objects, { stockClass, scale: 0 });
    return read.ok ? read.value.map(({ row }) => row) : read.error;
  };

  test('say whose, how many, at what cost, since when, and under which certificate', () => {
    const full = {
      ...ADA,
      issuer_assigned_id: 'H-1',
      stakeholder_type: 'INSTITUTION',
      addresses: [{ address_type: 'LEGAL', country: 'CH' }],
    };
    const rest = issuance('b', '3', {
      date: '2022-03-01',
      cost_basis: { amount: '1250000.005', currency: 'USD' },
      stock_legend_ids: ['l'],
    });
    const balance = end('CANCELLATION', { quantity: '997', balance_security_id: 'b' });
    expect(rowsOf([full, issuance('a', '1000'), balance, rest])).toEqual([
      {
        holder_reference: 'H-1',
        holder_name: 'Ada',
        holder_kind: 'entity',
        country: 'CH',
        shares: '3',
        cost: '1250000.01',
        certificate_number: 'CS-b',
        acquired_at: '2022-02-01',
        legend: true,
      },
    ]);
  });

  test('cost what stands of the price, and name an account where the document does', () => {
    const ours = { ...ADA, issuer_assigned_id: 'account:0199' };
    const cents = issuance('a', '1000', { share_price: { amount: '0.3333', currency: 'USD' } });
    expect(rowsOf([ours, cents, end('CANCELLATION', { quantity: '500' })])).toMatchObject([
      { account_id: '0199', shares: '500', cost: '166.65' },
    ]);
  });

  test.each<[string, OcfObject[], string | null, object]>([
    ['no stock', [ADA], null, { object_id: null, field: 'stock_class_id' }],
    [
      'stock of two classes',
      [ADA, issuance('a', '1'), issuance('b', '1', { stock_class_id: 'preferred' })],
      null,
      { message: 'name one of common, preferred' },
    ],
    ['nobody', [issuance('a', '1')], null, { object_id: 'a issued', field: 'stakeholder_id' }],
    [
      'a price that is no amount',
      [ADA, issuance('a', '1', { share_price: { amount: 'one', currency: 'USD' } })],
      null,
      { field: 'share_price', message: 'is no amount of money, as text' },
    ],
    [
      'a price that is a number',
      [ADA, issuance('a', '1', { share_price: { amount: 1, currency: 'USD' } })],
      null,
      { field: 'share_price', message: 'is no amount of money, as text' },
    ],
    [
      'a cost that is no amount',
      [ADA, issuance('a', '1', { cost_basis: { amount: '1,5', currency: 'EUR' } })],
      null,
      { field: 'cost_basis' },
    ],
    ['nothing that stands', [ADA, issuance('a', '1'), end('RETRACTION', {})], 'common', { field: 'stock_class_id' }],
  ])('name what is wrong: %s', (_, objects, stockClass, fault) => {
    expect(rowsOf(objects, stockClass)).toMatchObject([fault]);
  });
});

describe('R-07: what vendors write', () => {
  const rowsOf = (...objects: OcfObject[]) => {
    const read = rowsOfOcf(objects, { stockClass: null, scale: 0 });
    if (!read.ok) throw new Error(JSON.stringify(read.error));
    return read.value.map(({ row }) => row);
  };
  const NOTHING: readonly [string, unknown][] = [
    ['left out', undefined],
    ['null', null],
    ['empty', ''],
    ['blank', '  '],
    ['omitted', { omitted: true, comment: 'Data not available' }],
  ];
  const LEAVING: readonly [string, Readonly<Record<string, unknown>>, OcfObject[]][] = [
    ['CANCELLATION', { quantity: '40' }, []],
    ['REPURCHASE', { quantity: '40' }, []],
    ['TRANSFER', { quantity: '40', resulting_security_ids: ['c'] }, [issuance('c', '40')]],
    ['CONVERSION', { quantity_converted: '40', resulting_security_ids: [] }, []],
  ];

  for (const [type, terms, results] of LEAVING) {
    const gone = results.length === 0 ? {} : { c: 40 };
    test.each(NOTHING)(`the rest of a ${type} stays where its balance is %s`, (_, balance_security_id) => {
      const leaving = end(type, { ...terms, balance_security_id });
      expect(standing([issuance('a', '100'), leaving, ...results])).toEqual({ a: 60, ...gone });
    });

    test(`the rest of a ${type} stays where its balance is the stock itself, or is its balance`, () => {
      const itself = end(type, { ...terms, balance_security_id: 'a' });
      expect(standing([issuance('a', '100'), itself, ...results])).toEqual({ a: 60, ...gone });
      const another = end(type, { ...terms, balance_security_id: 'b' });
      expect(standing([issuance('a', '100'), another, issuance('b', '60'), ...results])).toEqual({ b: 60, ...gone });
    });

    test(`a ${type} of all leaves no balance, and may name one that is nowhere issued`, () => {
      const all = end(type, { ...terms, quantity: '40', balance_security_id: 'b' });
      expect(standing([issuance('a', '40'), all, ...results])).toEqual(gone);
    });
  }

  test.each([[undefined], ['b']])(
    'a balance may stand among what a transfer results in (balance %s)',
    (balance_security_id) => {
      const transfer = end('TRANSFER', { quantity: '40', resulting_security_ids: ['c', 'b'], balance_security_id });
      const bought = issuance('c', '40', { stakeholder_id: 'ben' });
      expect(standing([issuance('a', '100'), transfer, bought, issuance('b', '60')])).toEqual({ b: 60, c: 40 });
    },
  );

  test('a transfer that issues more than it takes to somebody else loses nothing and adds nothing', () => {
    const transfer = end('TRANSFER', { quantity: '40', resulting_security_ids: ['c', 'b'] });
    const others = ['c', 'b'].map((id) => issuance(id, id === 'c' ? '40' : '60', { stakeholder_id: 'ben' }));
    expect(standing([issuance('a', '100'), transfer, ...others])).toContain(
      'resulting_security_ids are not issued with what leaves the stock',
    );
  });

  for (const [type, field] of [
    ['CONVERSION', 'quantity_converted'],
    ['CANCELLATION', 'quantity'],
    ['REPURCHASE', 'quantity'],
  ] as const) {
    const elsewhere = issuance('com', '40', { stock_class_id: 'preferred' });

    test.each([[['com', 'b']], [['b', 'com']], [['b']]])(
      `a balance may stand among what a ${type} of a part results in (%j)`,
      (resulting_security_ids) => {
        const part = end(type, { [field]: '40', resulting_security_ids });
        expect(standing([issuance('a', '100'), part, elsewhere, issuance('b', '60')])).toEqual({ b: 60 });
      },
    );

    test(`what a ${type} of a part results in may name the stock itself`, () => {
      const part = end(type, { [field]: '40', resulting_security_ids: ['com', 'a'] });
      expect(standing([issuance('a', '100'), part, elsewhere])).toEqual({ a: 60 });
    });

    test.each<[string, OcfObject[]]>([
      ['is issued with another quantity', [issuance('b', '59')]],
      ['is issued to another stakeholder', [issuance('b', '60', { stakeholder_id: 'ben' })]],
      ['is one of two that may be the balance', [issuance('b', '60'), issuance('c', '60')]],
    ])(`stock of its class that a ${type} of a part results in is a fault where it %s`, (_, issued) => {
      const part = end(type, { [field]: '40', resulting_security_ids: ['b', 'c'] });
      expect(standing([issuance('a', '100'), part, ...issued])).toEqual([
        'resulting_security_ids are issued in this class beside what is left of the stock',
      ]);
    });
  }

  test.each<[string, string, OcfObject[]]>([
    [
      'the balance of two',
      'balance_security_id',
      [
        end('CANCELLATION', { quantity: '40', balance_security_id: 'b' }),
        end('REPURCHASE', { security_id: 'z', quantity: '40', balance_security_id: 'b' }),
        issuance('b', '60'),
      ],
    ],
    [
      'what two are transferred into',
      'resulting_security_ids',
      [
        end('TRANSFER', { quantity: '40', resulting_security_ids: ['b'] }),
        end('TRANSFER', { security_id: 'z', quantity: '40', resulting_security_ids: ['b'] }),
        issuance('b', '40'),
      ],
    ],
    [
      'named twice by one transfer',
      'resulting_security_ids',
      [end('TRANSFER', { quantity: '40', resulting_security_ids: ['b', 'b'] }), issuance('b', '20')],
    ],
    [
      'the balance of one and what another is consolidated into',
      'resulting_security_id',
      [
        end('CANCELLATION', { quantity: '40', balance_security_id: 'b' }),
        end('CONSOLIDATION', { security_ids: ['z', 'y'], resulting_security_id: 'b' }),
        issuance('y', '10'),
        issuance('b', '60'),
      ],
    ],
  ])('stock is not %s', (name, field, objects) => {
    const second = issuance('z', name.startsWith('the balance of one') ? '50' : '100');
    expect(standing([issuance('a', '100'), second, ...objects])).toEqual([
      `${field} is what another transaction has left or issued`,
    ]);
  });

  test('R-07: a balance, and what is consolidated, is of as many as were issued, whatever of them has ended before', () => {
    const part = end('CANCELLATION', { id: 'part', security_id: 'b', quantity: '300' });
    const balance = end('CANCELLATION', { quantity: '400', balance_security_id: 'b' });
    expect(standing([issuance('a', '1000'), issuance('b', '600'), part, balance])).toEqual({ b: 300 });
    expect(standing([issuance('a', '1000'), issuance('b', '900'), part, balance])).toEqual([
      'balance_security_id is of no issuance of what is left',
    ]);
    const consolidation = end('CONSOLIDATION', { security_ids: ['a', 'c'], resulting_security_id: 'b' });
    const [one, other] = [issuance('a', '1000'), issuance('c', '200')];
    expect(standing([one, other, issuance('b', '1200'), part, consolidation])).toEqual({ b: 900 });
    expect(standing([one, other, issuance('b', '1500'), part, consolidation])).toEqual([
      'resulting_security_id is of no issuance of what is consolidated',
    ]);
  });

  test('one balance is not that of two stakeholders, nor that of another one', () => {
    const bens = issuance('z', '100', { stakeholder_id: 'ben' });
    const adas = end('CANCELLATION', { quantity: '40', balance_security_id: 'b' });
    const another = 'balance_security_id is of another stakeholder';
    expect(standing([issuance('a', '100'), bens, adas, { ...adas, security_id: 'z' }, issuance('b', '60')])).toEqual([
      another,
    ]);
    expect(standing([issuance('a', '100'), adas, issuance('b', '60', { stakeholder_id: 'ben' })])).toEqual([another]);
  });

  test.each(NOTHING)('optional fields that are %s count for nothing', (_, nothing) => {
    const stakeholder = { ...ADA, issuer_assigned_id: nothing, addresses: nothing, tax_ids: nothing };
    const stock = issuance('a', '100', {
      cost_basis: nothing,
      share_price: { amount: '2.00', currency: 'USD' },
      custom_id: nothing,
      stock_legend_ids: nothing,
      vesting_terms_id: nothing,
      stock_plan_id: nothing,
      comments: nothing,
    });
    expect(rowsOf(stakeholder as OcfObject, stock)).toEqual([
      {
        holder_reference: 'ada',
        holder_name: 'Ada',
        holder_kind: 'individual',
        country: null,
        shares: '100',
        cost: '200',
        certificate_number: null,
        acquired_at: '2022-02-01',
        legend: false,
      },
    ]);
  });

  test.each<[string, object, string | null]>([
    ['a price in euros', { share_price: { amount: '1.00', currency: 'EUR' } }, null],
    ['a price in yen', { share_price: { amount: '150', currency: 'JPY' } }, null],
    ['a cost in pounds beside a price in dollars', { cost_basis: { amount: '1.00', currency: 'GBP' } }, null],
    ['neither price nor cost', { share_price: null }, null],
    ['a blank price', { share_price: { amount: '', currency: '' } }, null],
    ['a cost that is omitted', { cost_basis: { omitted: true } }, '100'],
    ['a cost that is omitted, as text', { cost_basis: { omitted: 'true', amount: '9', currency: 'USD' } }, '100'],
    ['a cost without an amount', { cost_basis: { amount: '', currency: 'USD' } }, '100'],
    ['a cost whose amount is null', { cost_basis: { amount: null, currency: 'USD' } }, '100'],
    ['a cost whose amount is omitted', { cost_basis: { amount: { omitted: true }, currency: 'USD' } }, '100'],
    ['a cost that is a comment', { cost_basis: { comment: 'Data not available' } }, '100'],
    ['a price without an amount', { share_price: { amount: '', currency: 'USD' } }, null],
    ['neither amount', { cost_basis: { amount: ' ' }, share_price: { currency: 'USD' } }, null],
    ['a currency in small letters', { share_price: { amount: '2.00', currency: ' usd' } }, '200'],
  ])('stock with %s comes in, with its cost where that is one in dollars', (_, change, cost) => {
    expect(rowsOf(ADA, issuance('a', '100', { ...change }))).toMatchObject([{ shares: '100', cost }]);
  });

  test('a stakeholder without a legal name has the names that there are, and the country of whichever address has one', () => {
    const stakeholder = {
      ...ADA,
      name: { legal_name: '', first_name: 'Ada', last_name: 'Example' },
      stakeholder_type: '',
      addresses: [
        { address_type: 'LEGAL', country: '' },
        { address_type: 'CONTACT', country: 'JP' },
      ],
    };
    expect(rowsOf(stakeholder, issuance('a', '1'))).toMatchObject([
      { holder_name: 'Ada Example', holder_kind: null, country: 'JP' },
    ]);
  });
});

describe('OCF stock of which nobody knows how much there is', () => {
  const split = (change: object = {}): OcfObject => ({
    object_type: 'TX_STOCK_CLASS_SPLIT',
    id: 'split',
    date: '2022-02-15',
    stock_class_id: 'common',
    split_ratio: { numerator: '2', denominator: '1' },
    ...change,
  });
  const of = (change: object) => ({ ...issuance('b', '50'), ...change });
  const at = (date: unknown, terms: object = { quantity: '40' }) => end('CANCELLATION', { ...terms, date });

  test.each<[string, OcfObject[], string]>([
    // Read as a text, this February comes after March: stock that was issued in between would be split.
    [
      'the day of a split without a zero',
      [of({ date: '2022-03-01' }), split({ date: '2022-2-15' })],
      'date is no date',
    ],
    ['the day of a split as a moment', [split({ date: '2022-02-15T00:00:00Z' })], 'date is no date'],
    ['the day of a split in another order', [split({ date: '15.02.2022' })], 'date is no date'],
    ['a split without a day', [split({ date: null })], 'date is missing'],
    ['the day of an end in another order', [at('03/01/2022')], 'date is no date'],
    ['a day that there is not', [at('2022-02-30')], 'date is no date'],
    ['an end without a day', [at(' ')], 'date is missing'],
    ['the day of an issuance in another order', [of({ date: '01/02/2022' })], 'date is no date'],
    ['an issuance of no class', [of({ stock_class_id: undefined })], 'stock_class_id is missing'],
    ['an issuance of a blank class', [of({ stock_class_id: ' ' })], 'stock_class_id is missing'],
    ['a split of no class', [split({ stock_class_id: '' })], 'stock_class_id is missing'],
    ['an end that is there twice', [at('2022-03-01'), at('2022-03-01')], 'id is that of another transaction'],
    ['a split that is there twice', [split(), split()], 'id is that of another transaction'],
    [
      'an end that is there twice, with another comment',
      [at('2022-03-01'), { comments: ['x'], ...at('2022-03-01') }],
      'id is that of another transaction',
    ],
    [
      'two splits of one id',
      [split(), split({ date: '2022-04-01', split_ratio: { numerator: '3', denominator: '1' } })],
      'id is that of another transaction',
    ],
    ['an end in small letters', [{ ...at('2022-03-01'), object_type: 'tx_stock_cancellation' }], 'object_type is no'],
    ['an end with a blank', [{ ...at('2022-03-01'), object_type: ' TX_STOCK_CANCELLATION' }], 'object_type is no'],
    ['an end that is misspelt', [{ ...at('2022-03-01'), object_type: 'TX_STOCK_CANCELATION' }], 'object_type is no'],
    ['thousands with a point', [of({ quantity: '1.000' })], 'quantity may mean 1000'],
    ['an end in thousands with a point', [at('2022-03-01', { quantity: '1.000' })], 'quantity may mean 1000'],
  ])('R-07: %s is refused', (_, objects, fault) => {
    const told = standing([issuance('a', '100'), ...objects]);
    expect(told).toEqual(expect.arrayContaining([expect.stringContaining(fault)]));
  });

  test.each<[string, OcfObject[], string]>([
    ['two classes', [issuance('x', '50', { stock_class_id: 'preferred' })], 'security_ids are of two classes'],
    ['two stakeholders', [issuance('x', '50', { stakeholder_id: 'ben' })], 'security_ids are of two stakeholders'],
  ])('R-07: stock of %s is not consolidated into one', (_, second, fault) => {
    const one = end('CONSOLIDATION', { security_ids: ['a', 'x'], resulting_security_id: 'c' });
    const into = (stakeholder_id: string) => issuance('c', '150', { stakeholder_id, date: '2022-03-01' });
    expect(standing([issuance('a', '100'), ...second, one, into('ada')])).toEqual([fault]);
    const others = [issuance('a', '100'), issuance('x', '50'), one, into('ben')];
    expect(standing(others)).toEqual(['resulting_security_id is of another stakeholder']);
  });

  test('R-07: what is of a day that has not come is refused, and of today it counts', () => {
    const replayed = (today: string) => replayStock([issuance('a', '100'), at('2022-03-02')], 'common', 0, today);
    expect(replayed('2022-03-01').faults).toEqual([
      { object_id: 'CANCELLATION', field: 'date', message: 'lies ahead' },
    ]);
    const later = replayStock([issuance('a', '100'), split({ date: '2022-03-02' })], 'common', 0, '2022-03-01');
    expect(later.faults).toMatchObject([{ field: 'date', message: 'lies ahead' }]);
    expect(replayed('2022-03-02').open.map(({ quantity }) => quantity)).toEqual([60]);
  });

  test('R-07: other classes may be written as they are, and decimals as the format has them', () => {
    const other = issuance('x', '1.000', { stock_class_id: 'preferred', date: '1.2.2022' });
    const ended = end('RETRACTION', { security_id: 'x', date: '' });
    expect(standing([issuance('a', '1000.0000000000'), other, ended])).toEqual({ a: 1000 });
    expect(standing([issuance('a', '1.250')], 3)).toEqual({ a: 1250 });
  });

  test('R-07: two stakeholders of one id are refused, and one that is there twice counts once', () => {
    const rows = (...stakeholders: OcfObject[]) =>
      rowsOfOcf([...stakeholders, issuance('a', '1')], { stockClass: null, scale: 0 });
    expect(rows(ADA, { ...ADA, name: { legal_name: 'Eve' } })).toEqual({
      ok: false,
      error: [{ object_id: 'ada', field: 'id', message: 'is that of another stakeholder' }],
    });
    expect(rows(ADA, ADA)).toMatchObject({ ok: true, value: [{ row: { holder_name: 'Ada', shares: '1' } }] });
  });
});
