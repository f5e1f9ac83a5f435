import { useQuery } from '@tanstack/react-query';
import { FactList, Panel } from '../../parts/panel.tsx';
import { ReadBlock } from '../../parts/read-block.tsx';
import { balanceAfter } from '../approvals/asked-call.ts';
import { accountDetailQuery } from '../queue-queries.ts';
import { useOperatorWords } from '../use-operator-words.ts';
import { AccountLink } from './links.tsx';

interface BalanceChangeProps {
  readonly accountId: string;
  readonly assetId: string;
  readonly change: Parameters<typeof balanceAfter>[1];
}

/** What an account has of an asset now, and what it would have afterwards. */
export function BalanceChange({ accountId, assetId, change }: BalanceChangeProps) {
  const { o, t, price } = useOperatorWords();
  const query = useQuery(accountDetailQuery(accountId));
  return (
    <Panel title={o('balance.title')} padded>
      <ReadBlock query={query} failed={o('accounts.one_failed')} rows={4}>
        {(account) => {
          const found = account.balances.find((balance) => balance.assetId === assetId);
          const before = found ?? { available: '0', held: '0' };
          const after = balanceAfter(before, change);
          const symbol = found?.symbol ?? assetId.toUpperCase();
          return (
            <FactList
              rows={[
                [
                  o('column.account'),
                  <AccountLink key="a" id={accountId}>
                    {account.name ?? accountId}
                  </AccountLink>,
                ],
                account.facts.frozen ? [t('column.state'), o('account_state.frozen')] : null,
                [o(`transfer_type.${change.type}`), `${price(change.amount)} ${symbol}`],
                [o('balance.available'), `${price(before.available)} → ${price(after.available)} ${symbol}`],
                [o('balance.held'), `${price(before.held)} → ${price(after.held)} ${symbol}`],
              ]}
            />
          );
        }}
      </ReadBlock>
    </Panel>
  );
}
