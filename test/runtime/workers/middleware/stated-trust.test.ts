import { expect, test } from 'vitest';
import { callWorker } from '../../fixtures/call-worker.ts';

async function documentOf(profile: string): Promise<string> {
  const answer = await callWorker(`http://localhost/${profile}/openapi.json`);
  expect(answer.status).toBe(200);
  return answer.text();
}

test.each(['exchange', 'partner'])(
  'B-19: the API reference of %s calls no receipt a proof without saying who the committee is, and promises nothing that an operator can undo',
  async (profile) => {
    const text = await documentOf(profile);
    expect(text).toContain('/.well-known/committee');
    expect(text).toContain('by its own word');
    for (const promise of ['without asking us', 'nothing undoes', 'settled for good', 'cannot be undone by'])
      expect(text).not.toContain(promise);
  },
);

test('B-19: who the members are stands beside each finality that partners are shown', async () => {
  const { components } = JSON.parse(await documentOf('partner')) as {
    components: { schemas: Record<string, { properties?: Record<string, { enum?: unknown[] }> }> };
  };
  const withFinality = Object.entries(components.schemas).filter(
    ([, { properties }]) => properties?.finality !== undefined,
  );
  expect(withFinality.map(([name]) => name).sort()).toEqual(['Settlement', 'SettlementVerification']);
  for (const [name, { properties }] of withFinality)
    expect(properties?.finality_members?.enum, name).toEqual(expect.arrayContaining(['embedded', 'objects', 'places']));
});

test('B-14: the tenant’s answer says of each signing mode who could move what lies in the vaults', async () => {
  const text = await documentOf('bridge');
  expect(text).toContain(
    'Who could move what lies in the vaults. `native`: five signers of the exchange; `single_operator` says whether one operator has all five.',
  );
  expect(text).toContain('Whether one operator runs all five signers of the vaults, and could open them alone.');
});
